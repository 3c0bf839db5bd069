import { expect, test } from 'vitest';
import { instantOf } from '../instants.ts';
import { columnOf } from './types.ts';

test.each([
  ['UInt8', 'integer'],
  ['Nullable(Int256)', 'integer'],
  ['Float64', 'float'],
  ['Decimal(38, 9)', 'float'],
  ['Bool', 'boolean'],
  ['Date32', 'date'],
  ["DateTime('Europe/Berlin')", 'datetime'],
  ["Nullable(DateTime64(6, 'UTC'))", 'datetime'],
  ['LowCardinality(Nullable(String))', 'string'],
  ["Enum8('a' = 1)", 'string'],
  ['SimpleAggregateFunction(max, Nullable(Float32))', 'float'],
  ['Array(UInt8)', null],
  ['Map(String, UInt8)', null],
  ['Nullable(Nothing)', null],
] as const)('%s is of type %s', (type, found) => {
  expect(columnOf({ name: 'a', type }, 'UTC').type).toBe(found);
});

test.each([
  ['DateTime', 'UTC', '2026-01-02 03:04:05', '2026-01-02T03:04:05Z'],
  ['DateTime', 'Europe/Berlin', '2026-07-01 12:00:00', '2026-07-01T10:00:00Z'],
  ["DateTime('Asia/Kathmandu')", 'UTC', '2026-07-01 12:00:00', '2026-07-01T06:15:00Z'],
  ["DateTime64(6, 'America/New_York')", 'UTC', '2026-01-01 00:00:00.123456', '2026-01-01T05:00:00.123Z'],
  ['DateTime', 'Europe/Berlin', '2026-01-02T03:04:05.123456Z', '2026-01-02T03:04:05.123Z'],
])('%s in %s: %s is %s', (type, zone, text, iso) => {
  expect(columnOf({ name: 'a', type }, zone).encode?.(text)).toBe(`"${iso}"`);
});

test('clocks that change: a time that comes twice is the first of them', () => {
  expect(instantOf('2026-03-29 01:59:59', 'Europe/Berlin')).toBe('2026-03-29T00:59:59Z');
  expect(instantOf('2026-03-29 03:00:00', 'Europe/Berlin')).toBe('2026-03-29T01:00:00Z');
  expect(instantOf('2026-10-25 02:30:00', 'Europe/Berlin')).toBe('2026-10-25T00:30:00Z');
  expect(instantOf('2026-10-25 03:00:00', 'Europe/Berlin')).toBe('2026-10-25T02:00:00Z');
  expect(instantOf('2026-01-01 00:00:00', 'No/Where')).toBe('2026-01-01T00:00:00');
});
