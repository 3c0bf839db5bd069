/** Q9: every 500 ms, after ten tries every 3 s; while the live socket reports, polling is only a safeguard. */
export function pollDelayMs(tries: number, isNotified: boolean): number {
  if (isNotified) return 15_000;
  return tries < 10 ? 500 : 3000;
}

/** visualizations 18: 1, 2, 4 … 30 s. */
export const reconnectDelayMs = (failures: number): number => Math.min(30_000, 1000 * 2 ** Math.min(failures, 5));
