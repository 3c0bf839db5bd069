const nowhere = 'http://telltale.invalid';
const linkProtocols = ['http:', 'https:', 'mailto:'];

/** security.md 12: a safe address for a link; undefined for `javascript:` and the like. */
export function safeLinkUrl(text: string): string | undefined {
  const url = parse(text);
  return url && linkProtocols.includes(url.protocol) ? text.trim() : undefined;
}

/** Pictures may also be data URLs; in an `img` not even an SVG runs scripts. */
export function safeImageUrl(text: string): string | undefined {
  const url = parse(text);
  if (!url) return undefined;
  const isPicture = ['http:', 'https:'].includes(url.protocol) || (url.protocol === 'data:' && /^image\//i.test(url.pathname));
  return isPicture ? text.trim() : undefined;
}

/** The browser's own parser decides: it knows every way to hide a protocol. */
const parse = (text: string): URL | null => (text.trim() === '' ? null : URL.parse(text.trim(), nowhere));
