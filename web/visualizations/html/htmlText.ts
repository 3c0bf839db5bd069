const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Hostile text makes the expressions below quadratic in its length. */
const longest = 20_000;

/** The visible text of a piece of HTML; for searching and measuring, never for drawing. */
export function htmlText(html: string): string {
  if (!/[<&]/.test(html)) return html;
  return html
    .slice(0, longest)
    .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<\/?[a-z][^>]*>/gi, (tag) => (/^<\/?(?:br|p|div|li|tr|td|h[1-6])\b/i.test(tag) ? ' ' : ''))
    .replace(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]+);/gi, (entity, name: string) => decoded(name) ?? entity)
    .replace(/[ \t]+/g, ' ')
    .trim();
}

function decoded(name: string): string | undefined {
  if (!name.startsWith('#')) return Object.hasOwn(entities, name) ? entities[name] : undefined;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

const bareUrl = /(^|\s|<br\s*\/?>)(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?\]])/gi;

/** visualizations 4.7: bare addresses at the start, after white space or after `<br>` become links to a new tab. */
export const withLinks = (html: string): string => html.replace(bareUrl, '$1<a href="$2" target="_blank">$2</a>');
