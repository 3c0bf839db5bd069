import type { Ctx } from '../platform/context.ts';
import { countRun, type RunOutcome } from './run-figures.store.ts';

export { type RunFigures, type RunOutcome, readRunFigures } from './run-figures.store.ts';

/** Upper limits in seconds; the last place of `buckets` counts longer runs. */
export const runBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300, 1800] as const;

/** Counts a run without waiting: losing a figure with a killed process does no harm. */
export function noteRun({ db, log }: Pick<Ctx, 'db' | 'log'>, outcome: RunOutcome, seconds: number): void {
  const place = runBuckets.findIndex((most) => seconds <= most);
  const counts = Array.from({ length: runBuckets.length + 1 }, (_, n) => Number(n === (place < 0 ? runBuckets.length : place)));
  countRun(db, outcome, seconds, counts).catch((error: Error) => log.debug({ err: error.message }, 'a run could not be counted'));
}
