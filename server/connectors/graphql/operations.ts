/** Ignored characters, a string, a name, or any other single character. */
const token = /[\s,\ufeff]+|#[^\n\r]*|"""(?:\\"""|[\s\S])*?(?:"""|$)|"(?:\\.|[^"\\\n\r])*"?|[_A-Za-z]\w*|[\s\S]/g;

/** Returns the first word of each definition in a document; `query` when it is omitted. */
export function operationsOf(document: string): string[] {
  const operations: string[] = [];
  let depth = 0;
  let isStart = true;
  for (const [text] of document.matchAll(token)) {
    const isBlank = /^[\s,\ufeff#]/.test(text);
    if (isBlank) continue;
    if (isStart && depth === 0) {
      operations.push(text === '{' ? 'query' : text);
      isStart = false;
    }
    if (/^[{([]$/.test(text)) depth++;
    else if (/^[})\]]$/.test(text)) depth = Math.max(0, depth - 1);
    if (text === '}' && depth === 0) isStart = true;
  }
  return operations;
}
