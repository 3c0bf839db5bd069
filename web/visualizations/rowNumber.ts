/** visualizations 6: 1 … N from the top, -1 … -N from the bottom, 0 is the first; beyond the last one it wraps around. */
export function rowIndexOf(rowNumber: number, count: number): number {
  if (count === 0 || rowNumber === 0) return 0;
  const wrapped = (Math.abs(rowNumber) - 1) % count;
  return rowNumber > 0 ? wrapped : count - wrapped - 1;
}
