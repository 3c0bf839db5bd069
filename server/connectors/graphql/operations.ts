/** What counts for nothing, a text, a name, or any other single mark. */
const token = /[\s,\ufeff]+|#[^\n\r]*|"""(?:\\"""|[\s\S])*?(?:"""|$)|"(?:\\.|[^"\\\n\r])*"?|[_A-Za-z]\w*|[\s\S]/g;

/** The word that each definition of a document begins with; `query` where it is left out. */
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
