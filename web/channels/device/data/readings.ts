import type { LastValue } from '@telltale/domain/channels/data-contract.ts';
import type { UplinkRecord } from '@telltale/domain/uplinks/live-record.ts';
import { figureText } from '../../../ui/figureText.ts';

/** One value as people read it. */
export function readingText(
  { kind, value, value_text, unit }: Pick<LastValue, 'kind' | 'value' | 'value_text' | 'unit'>,
  decimals: number | null = null,
): string {
  if (kind === 'b') return value === 1 ? 'true' : 'false';
  if (value === null) return value_text ?? '';
  const figure = decimals === null || Math.abs(value) >= 1e15 ? figureText(value) : fixed(value, decimals);
  return unit ? `${figure} ${unit}` : figure;
}

const fixed = (value: number, decimals: number): string =>
  value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });

/** On or off; Telltale itself writes numbers only (iot-behaviour 1.7). */
export const isSwitch = ({ kind, attribute }: Pick<LastValue, 'kind' | 'attribute'>): boolean => kind === 'b' || attribute === 'sys.online';

/** The values of the server, updated by newer records by the time of the reading. */
export function withLive(last: readonly LastValue[], records: readonly UplinkRecord[]): LastValue[] {
  const byName = new Map(last.map((one) => [one.attribute, one]));
  // The oldest first, so that the newest wins.
  for (const { values, time, status } of [...records].reverse()) {
    if (status !== 'stored' && status !== 'partial') continue;
    for (const [attribute, value] of Object.entries(values)) {
      const known = byName.get(attribute);
      if (!known || Date.parse(time) >= Date.parse(known.time))
        byName.set(attribute, readingOf(attribute, value, time, known?.unit ?? null));
    }
  }
  const isOurs = (name: string) => /^(lora|sys)\./.test(name);
  return [...byName.values()].sort(
    (a, b) => Number(isOurs(a.attribute)) - Number(isOurs(b.attribute)) || (a.attribute < b.attribute ? -1 : 1),
  );
}

function readingOf(attribute: string, value: number | boolean | string, time: string, unit: string | null): LastValue {
  if (typeof value === 'boolean') return { attribute, time, value: Number(value), value_text: null, kind: 'b', unit };
  if (typeof value === 'number') return { attribute, time, value, value_text: null, kind: 'n', unit };
  return { attribute, time, value: null, value_text: value, kind: 's', unit };
}

export interface Point {
  at: number;
  value: number;
}

interface Span {
  seconds: number;
  text: string;
  /** The number of buckets: as fine as a tile is wide, or as the devices report. */
  buckets: number;
}

const day: Span = { seconds: 86_400, text: 'last 24 hours', buckets: 240 };
const spans: readonly Span[] = [
  { seconds: 900, text: 'last 15 minutes', buckets: 180 },
  { seconds: 3600, text: 'last hour', buckets: 240 },
  { seconds: 21_600, text: 'last 6 hours', buckets: 240 },
];

/** The shortest span that shows a device of this age completely; a day at most. */
export const sparkSpan = (ageMs: number): Span => spans.find(({ seconds }) => ageMs < seconds * 1000) ?? day;

/** A series with the records that came since it was read. */
export function liveSeries(points: readonly Point[], records: readonly UplinkRecord[], attribute: string): Point[] {
  const newest = points.at(-1)?.at ?? 0;
  const added = records.flatMap(({ values, time, status }): Point[] => {
    const value = Object.hasOwn(values, attribute) ? values[attribute] : undefined;
    const at = Date.parse(time);
    const isNew = at > newest && (status === 'stored' || status === 'partial');
    return isNew && (typeof value === 'number' || typeof value === 'boolean') ? [{ at, value: Number(value) }] : [];
  });
  return [...points, ...added.sort((a, b) => a.at - b.at)];
}
