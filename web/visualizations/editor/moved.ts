/** The list with one item at another place. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const item = items[from];
  if (item === undefined || from === to) return [...items];
  const rest = items.toSpliced(from, 1);
  return rest.toSpliced(Math.min(Math.max(0, to), rest.length), 0, item);
}
