const isSpace = (char: string) => char === ' ' || char === '\n' || char === '\t' || char === '\r' || char === '\f' || char === '/';

/**
 * Renames event-handler attributes (`onerror=…`) inside tags before the text is parsed. The sanitiser removes them anyway, but
 * Chromium 156 reports them against the content security policy as soon as any document parses them, even an inert one. Text
 * between tags stays as it is, and one pass over the text is enough.
 */
export function stripHandlers(html: string): string {
  if (!/\bon/i.test(html)) return html;
  let out = '';
  let kept = 0;
  let at = html.indexOf('<');
  while (at !== -1) {
    if (!/[a-z]/i.test(html[at + 1] ?? '')) {
      at = html.indexOf('<', at + 1);
      continue;
    }
    at += 2;
    while (at < html.length && !isSpace(html[at] as string) && html[at] !== '>') at++;
    while (at < html.length && html[at] !== '>') {
      if (isSpace(html[at] as string)) {
        at++;
        continue;
      }
      const nameAt = at;
      at++;
      while (at < html.length && !isSpace(html[at] as string) && html[at] !== '>' && html[at] !== '=') at++;
      if (/^on/i.test(html.slice(nameAt, nameAt + 2))) {
        out += `${html.slice(kept, nameAt)}x-`;
        kept = nameAt;
      }
      at = afterValue(html, at);
    }
    at = html.indexOf('<', at);
  }
  return out + html.slice(kept);
}

/** The index behind an attribute's value, or the same index where the attribute has none. */
function afterValue(html: string, nameEnd: number): number {
  let at = nameEnd;
  while (at < html.length && html[at] !== '/' && isSpace(html[at] as string)) at++;
  if (html[at] !== '=') return nameEnd;
  at++;
  while (at < html.length && html[at] !== '/' && isSpace(html[at] as string)) at++;
  const quote = html[at];
  if (quote === '"' || quote === "'") {
    const end = html.indexOf(quote, at + 1);
    return end === -1 ? html.length : end + 1;
  }
  while (at < html.length && !/[\s>]/.test(html[at] as string)) at++;
  return at;
}
