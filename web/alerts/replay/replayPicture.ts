import { numberOf } from '@telltale/domain/alerts/condition.ts';
import type { Replay } from '@telltale/domain/alerts/contract.ts';
import type { TimePoint, TimeSeries } from '../../ui/timeScale.ts';

/** Colours repeat after ten devices; the tooltip names the device. */
const colors = 10;

/** A line per device, or one of the query. Booleans are 0 and 1; other values that are no numbers are left out. */
export function replaySeries({ series }: Pick<Replay, 'series'>): TimeSeries[] {
  const byDevice = new Map<string, TimePoint[]>();
  for (const { at, value, device_id = '' } of series) {
    const figure = figureOf(value);
    if (figure === null) continue;
    const points = byDevice.get(device_id) ?? [];
    byDevice.set(device_id, points);
    points.push({ at: Date.parse(at), value: figure });
  }
  return [...byDevice].map(([name, points], n) => ({
    name,
    color: byDevice.size > 1 ? `var(--series-${(n % colors) + 1})` : 'var(--primary)',
    points: points.sort((a, b) => a.at - b.at),
  }));
}

export function figureOf(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value);
  return numberOf(value) ?? null;
}

const count = (n: number, one: string, many = `${one}s`) => `${n === 0 ? 'no' : n} ${n === 1 ? one : many}`;

/** "With these settings it would have triggered 3 times in the last 30 days and sent 5 notices." */
export function replaySentence(
  { evaluations, triggered, notifications, is_partial }: Omit<Replay, 'series' | 'threshold'>,
  days: number,
): string {
  if (evaluations === 0) return `There is no stored data of the last ${days} days to try it on.`;
  const looked = `(${count(evaluations, 'evaluation')}${is_partial ? ', the oldest data left out' : ''})`;
  const notices = notifications > 0 || triggered.length > 0 ? ` and sent ${count(notifications, 'notice')}` : '';
  const times = triggered.length === 0 ? 'not have triggered' : `have triggered ${count(triggered.length, 'time')}`;
  return `With these settings it would ${times} in the last ${days} days${notices} ${looked}.`;
}
