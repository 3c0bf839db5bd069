/** The next item by keyboard; null for other keys. */
export function nextItem(at: number | null, key: string, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return at === null ? 0 : Math.min(count - 1, at + 1);
    case 'ArrowLeft':
    case 'ArrowUp':
      return at === null ? count - 1 : Math.max(0, at - 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
