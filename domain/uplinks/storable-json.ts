/** A depth beyond any sensible value; a database fails at some thousands. */
const deepest = 100;

/**
 * JSON that a database accepts: without U+0000 and lone surrogates, which it cannot store, and not nested too deeply. Null when that is
 * impossible.
 */
export function storableJson(value: unknown): string | null {
  try {
    const text = JSON.stringify(value);
    // JSON.stringify writes lone surrogates as escapes; a backslash of the text itself is doubled.
    return isShallow(text)
      ? text.replace(/\\\\|\\u(?:d[89a-f][0-9a-f]{2}|0000)/g, (found) => (found === '\\\\' ? found : '\\ufffd'))
      : null;
  } catch {
    return null;
  }
}

function isShallow(text: string): boolean {
  let depth = 0;
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (mark === '[' || mark === '{') depth++;
    else if (mark === ']' || mark === '}') depth--;
    if (depth > deepest) return false;
  }
  return true;
}
