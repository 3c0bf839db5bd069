import type { ResultRow } from '@telltale/domain/results/contract.ts';
import { describe, expect, test, vi } from 'vitest';
import { cellReader, plainText } from '../../cellValue.ts';
import { matchedOrder } from './matchedOrder.ts';
import { finish, runSliced } from './sliced.ts';
import { sortedOrder } from './sortedOrder.ts';

const by = (name: string, type: string | null = null, isDescending = false) => ({ read: cellReader(name), type, isDescending });
const sorted = (values: unknown[], type: string | null = null, isDescending = false) =>
  [
    ...finish(
      sortedOrder(
        values.map((a) => ({ a })),
        [by('a', type, isDescending)],
      ),
    ),
  ].map((at) => values[at]);

describe('visualizations 4.4: sorting', () => {
  test('nothing is smaller than everything', () => {
    expect(sorted([2, null, 1, undefined])).toEqual([null, undefined, 1, 2]);
    expect(sorted([2, null, 1], 'integer', true)).toEqual([2, 1, null]);
    expect(sorted(['b', null, ''], 'string')).toEqual([null, '', 'b']);
  });

  test('text by code units, case-sensitive', () => {
    expect(sorted(['b', 'a', 'B', 'ä', 'ab', 'a'], 'string')).toEqual(['B', 'a', 'a', 'ab', 'b', 'ä']);
    expect(sorted(['device-10', 'device-2', 'device-1'], 'string')).toEqual(['device-1', 'device-10', 'device-2']);
    expect(sorted(['same-prefix-zzz', 'same-prefix', 'same-prefix-zza'])).toEqual(['same-prefix', 'same-prefix-zza', 'same-prefix-zzz']);
  });

  test('numbers as numbers, also those that come as text', () => {
    expect(sorted([10, 9, -1, 0.5], 'float')).toEqual([-1, 0.5, 9, 10]);
    expect(sorted(['9007199254740993', '9007199254740992', 5, '10'], 'integer')).toEqual([5, '10', '9007199254740992', '9007199254740993']);
    expect(sorted([Number.POSITIVE_INFINITY, 1, Number.NEGATIVE_INFINITY])).toEqual([
      Number.NEGATIVE_INFINITY,
      1,
      Number.POSITIVE_INFINITY,
    ]);
  });

  test('moments by instant', () => {
    const values = ['2024-01-01T01:00:00+02:00', '2023-12-31T23:30:00Z', '2024-01-01T00:00:00Z'];
    expect(sorted(values, 'datetime')).toEqual([values[0], values[1], values[2]]);
    expect(sorted(['2024-02-01', 'soon', '2024-01-01'], 'date')).toEqual(['2024-01-01', '2024-02-01', 'soon']);
  });

  test('mixed values have one order: nothing, numbers, text', () => {
    expect(sorted(['b', 3, null, true, 'a', { x: 1 }, 2])).toEqual([null, true, 2, 3, 'a', 'b', { x: 1 }]);
    expect(sorted([3, 'x', 1], 'integer')).toEqual([1, 3, 'x']);
  });

  test('several columns, each in its direction, and stable', () => {
    const rows = [
      { a: 1, b: 'x', n: 0 },
      { a: 2, b: 'y', n: 1 },
      { a: 1, b: 'y', n: 2 },
      { a: 2, b: 'y', n: 3 },
    ];
    const order = finish(sortedOrder(rows, [by('b', 'string', true), by('a', 'integer')]));
    expect([...order].map((at) => rows[at]?.n)).toEqual([2, 1, 3, 0]);
  });

  test.each([0, 1, 15, 16, 17, 33, 1000, 5000])('%i rows as the engine sorts them', (length) => {
    let seed = 42;
    const random = () => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % 100;
    };
    const rows: ResultRow[] = Array.from({ length }, (_, n) => ({ a: random(), n }));
    const expected = rows.toSorted((x, y) => Number(y.a) - Number(x.a) || Number(x.n) - Number(y.n));
    const order = finish(sortedOrder(rows, [by('a', 'integer', true)]));
    expect([...order].map((at) => rows[at])).toEqual(expected);
  });
});

describe('visualizations 4.4: as many rows as it takes to sort by letters', () => {
  const length = 9000;
  const texts: [string, (n: number) => string][] = [
    ['identifiers', (n) => `device-${(n * 7919) % 5000}`],
    ['long alike beginnings', (n) => `https://a.example/${n % 3 ? 'devices' : 'device'}/${'x'.repeat(40)}/${(n * 31) % 977}`],
    ['any letters', (n) => `${String.fromCharCode(0x3040 + ((n * 13) % 90), 97 + (n % 26))}${'é'.repeat(n % 7)}${(n * 17) % 100}`],
    ['growing lengths', (n) => 'a'.repeat((n * 7) % 300)],
    ['one and the same', () => 'same text in every row'],
    ['with the smallest letter', (n) => `a${'\0'.repeat(n % 9)}`],
  ];

  test.each(texts)('%s', (_, make) => {
    const rows: ResultRow[] = Array.from({ length }, (_, n) => ({ a: make(n), n }));
    for (const isDescending of [false, true]) {
      const compare = (x: ResultRow, y: ResultRow) => (String(x.a) < String(y.a) ? -1 : String(x.a) > String(y.a) ? 1 : 0);
      const expected = rows.toSorted((x, y) => (isDescending ? -compare(x, y) : compare(x, y)) || Number(x.n) - Number(y.n));
      const order = finish(sortedOrder(rows, [by('a', 'string', isDescending)]));
      expect([...order].map((at) => rows[at]?.n)).toEqual(expected.map((row) => row.n));
    }
  });
});

test('visualizations 4.5: search finds any of the texts, in order, whatever the case', () => {
  const rows = [{ a: 'Alpha' }, { a: 'beta' }, { a: null }, { a: 'ALPHABET' }];
  const texts = [(row: ResultRow) => plainText(row.a)];
  expect([...finish(matchedOrder(rows, null, texts, 'alpha'))]).toEqual([0, 3]);
  expect([...finish(matchedOrder(rows, Uint32Array.from([3, 2, 1, 0]), texts, 'ALPHA'))]).toEqual([3, 0]);
  // Complaint 42: null is not found as an object.
  expect([...finish(matchedOrder(rows, null, texts, 'object'))]).toEqual([]);
});

test('long work is done in slices and can be given up', async () => {
  const rows: ResultRow[] = Array.from({ length: 400_000 }, (_, n) => ({ a: (n * 7919) % 400_000 }));
  const onProgress = vi.fn();
  const order = await runSliced(sortedOrder(rows, [by('a', 'integer')]), { signal: new AbortController().signal, onProgress });
  expect(order?.[0]).toBe(0);
  expect(onProgress.mock.calls.length).toBeGreaterThan(0);
  for (const [progress] of onProgress.mock.calls) expect(progress).toBeLessThanOrEqual(1);
  expect(await runSliced(sortedOrder(rows, [by('a')]), { signal: AbortSignal.abort(), onProgress })).toBeUndefined();
});
