/** Q2 and screens 1.7: what a page inside another site leaves out; a key without a value is set. */
export const embedFlags = ['hide_header', 'hide_parameters', 'hide_link', 'hide_timestamp', 'showDescription'] as const;
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
  /** The values of the parameters as an address has them, `?p_a=1`. */
  values: string;
  flags: readonly EmbedFlag[];
}

/** The public address of one picture. */
export function embedAddress({ origin, queryId, visualizationId, apiKey, values, flags }: EmbedAddress): string {
  const params = new URLSearchParams({ api_key: apiKey });
  for (const [key, value] of new URLSearchParams(values)) if (key.startsWith('p_')) params.append(key, value);
  const rest = flags.map((flag) => `&${flag}`).join('');
  return `${origin}/embed/query/${queryId}/visualization/${visualizationId}?${params}${rest}`;
}

/** Q9 */
export const usualSize = { width: 720, height: 391 };

/** Text for the source of somebody's page. */
export const iframeText = (address: string, { width, height }: typeof usualSize): string =>
  `<iframe src="${address.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" width="${width}" height="${height}"></iframe>`;
