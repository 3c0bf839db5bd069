import type { LastValue } from '@telltale/domain/channels/data-contract.ts';
import type { UplinkRecord } from '@telltale/domain/uplinks/live-record.ts';
import { expect, test } from 'vitest';
import { liveSeries, readingText, sparkSpan, withLive } from './readings.ts';

const last = (attribute: string, value: number, time = '2026-01-01T00:00:10Z'): LastValue => ({
  attribute,
  time,
  value,
  value_text: null,
  kind: 'n',
  unit: null,
});
const record = (time: string, values: UplinkRecord['values'], status: UplinkRecord['status'] = 'stored') =>
  ({ uplink_id: time, time, values, status }) as UplinkRecord;

test.each([
  [30_000, 'last 15 minutes'],
  [20 * 60_000, 'last hour'],
  [5 * 3_600_000, 'last 6 hours'],
  [20 * 3_600_000, 'last 24 hours'],
  [400 * 86_400_000, 'last 24 hours'],
])('a device that is %i ms old is shown over the %s', (ageMs, text) => {
  const { seconds, buckets, text: said } = sparkSpan(ageMs);
  expect(said).toBe(text);
  // A sparkline is 160 px wide.
  expect(seconds / buckets).toBeLessThanOrEqual(360);
});

test.each([
  [{ kind: 'b', value: 1, value_text: null, unit: null }, 'true'],
  [{ kind: 'n', value: 21.5, value_text: null, unit: 'Cel' }, '21.5 Cel'],
  [{ kind: 'n', value: 1e21, value_text: null, unit: null }, '1.00000e+21'],
  [{ kind: 'n', value: 1e-9, value_text: null, unit: null }, '1.00000e-9'],
  [{ kind: 's', value: null, value_text: '<script>', unit: null }, '<script>'],
])('%j is read as %s', (value, text) => expect(readingText(value)).toBe(text));

test('iot-behaviour 1.8: late data never moves the last value backwards', () => {
  const values = withLive([last('t', 1)], [record('2026-01-01T00:00:05Z', { t: 0 })]);
  expect(values).toEqual([last('t', 1)]);
});

test('new values and new names appear; what was rejected or repeated does not; our own names stand last', () => {
  const records = [
    record('2026-01-01T00:00:30Z', { t: 9 }, 'duplicate'),
    record('2026-01-01T00:00:20Z', { t: 2, door: true, mode: 'eco' }),
    record('2026-01-01T00:00:15Z', { t: 1.5 }),
  ];
  const values = withLive([last('sys.online', 1), last('t', 1)], records);
  expect(values.map(({ attribute, value, value_text }) => [attribute, value, value_text])).toEqual([
    ['door', 1, null],
    ['mode', null, 'eco'],
    ['t', 2, null],
    ['sys.online', 1, null],
  ]);
});

test('a series goes on with what came since', () => {
  const points = [{ at: Date.parse('2026-01-01T00:00:10Z'), value: 1 }];
  const records = [
    record('2026-01-01T00:00:20Z', { t: 3 }),
    record('2026-01-01T00:00:15Z', { t: 2 }),
    record('2026-01-01T00:00:05Z', { t: 0 }),
  ];
  expect(liveSeries(points, records, 't').map(({ value }) => value)).toEqual([1, 2, 3]);
  expect(liveSeries(points, records, 'toString')).toEqual(points);
});
