/** More than anybody means; a database gives up at some thousands. */
const deepest = 100;

/**
 * JSON as a database takes it: without U+0000 and halves of characters, which it keeps in no text, and not nested for nesting's
 * sake. Null when it cannot be.
 */
export function storableJson(value: unknown): string | null {
  try {
    const text = JSON.stringify(value);
    // JSON.stringify writes halves of characters as escapes; a backslash of the text itself stands there twice.
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
