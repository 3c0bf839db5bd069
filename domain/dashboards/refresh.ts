import { dashboardRefreshIntervals } from '../organization/settings.ts';

/** D9: the shortest interval of automatic refreshes. */
const shortestRefresh = 30;
const longestRefresh = 30 * 86_400;

/** D9: at least 30 seconds and not below the smallest configured interval. */
const leastSeconds = (configured: readonly number[]): number => Math.max(shortestRefresh, configured.length ? Math.min(...configured) : 0);

/** The interval of `refresh=` in an address, clamped to the allowed range; null means off. */
export function refreshSeconds(asked: string | number | null | undefined, configured: readonly number[]): number | null {
  const seconds = Number.parseFloat(String(asked ?? ''));
  if (!Number.isFinite(seconds) || seconds <= 0) return null;
  return Math.round(Math.min(Math.max(seconds, leastSeconds(configured)), longestRefresh));
}

/** D4: the usual intervals and the configured ones; those that are not configured are shown, but disabled. */
export function refreshChoices(configured: readonly number[]): { seconds: number; isAllowed: boolean }[] {
  const all = [...new Set([...dashboardRefreshIntervals, ...configured])].toSorted((a, b) => a - b);
  return all.map((seconds) => ({ seconds, isAllowed: configured.includes(seconds) && seconds >= shortestRefresh }));
}
