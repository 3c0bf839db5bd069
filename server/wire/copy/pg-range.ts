/** server-behaviour 1.3: `[lower, upper)` with the real bounds, an empty range as empty text. */
export function rangeText(text: string): string {
  if (text === 'empty') return '';
  const bounds = /^([[(])("(?:[^"\\]|""|\\.)*"|[^",]*),("(?:[^"\\]|""|\\.)*"|[^",]*)([\])])$/s.exec(text);
  if (!bounds) return text;
  const [, open = '', lower = '', upper = '', close = ''] = bounds;
  return `${open}${unquoted(lower)}, ${unquoted(upper)}${close}`;
}

const unquoted = (bound: string) => (bound.startsWith('"') ? bound.slice(1, -1).replace(/""|\\(.)/gs, (_, c?: string) => c ?? '"') : bound);
