/** Q2 and screens 1.7: the parts that an embedded page hides; a key without a value is set. */
const embedFlags = ['hide_header', 'hide_parameters', 'hide_link', 'hide_timestamp', 'showDescription'] as const;
export type EmbedFlag = (typeof embedFlags)[number];

export function readEmbedFlags(search: string): Record<EmbedFlag, boolean> {
  const params = new URLSearchParams(search);
  const isSet = (flag: EmbedFlag) => params.has(flag) && !['false', '0'].includes(params.get(flag) ?? '');
  return Object.fromEntries(embedFlags.map((flag) => [flag, isSet(flag)])) as Record<EmbedFlag, boolean>;
}

interface EmbedAddress {
  origin: string;
  queryId: number;
  visualizationId: number;
  apiKey: string;
  /** The values of the parameters as in an address, `?p_a=1`. */
  values: string;
  flags: readonly EmbedFlag[];
}

/** The public address of one visualization. */
export function embedAddress({ origin, queryId, visualizationId, apiKey, values, flags }: EmbedAddress): string {
  const params = new URLSearchParams({ api_key: apiKey });
  for (const [key, value] of new URLSearchParams(values)) if (key.startsWith('p_')) params.append(key, value);
  const rest = flags.map((flag) => `&${flag}`).join('');
  return `${origin}/embed/query/${queryId}/visualization/${visualizationId}?${params}${rest}`;
}

/** Q9 */
export const usualSize = { width: 720, height: 391 };

/** The HTML for embedding in another page. */
export const iframeText = (address: string, { width, height }: typeof usualSize): string =>
  `<iframe src="${address.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" width="${width}" height="${height}"></iframe>`;
