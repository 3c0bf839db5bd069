import { expect, test } from 'vitest';
import { columnWindow, fitWidths, sampled } from './columnWidths.ts';

const column = (wanted: number, cap = 320) => ({ wanted, cap });

test('columns get what they want up to the cap', () => {
  expect(fitWidths([column(100), column(20), column(900)], 0)).toEqual([100, 56, 320]);
});

test('room that is left goes to those that were cut', () => {
  expect(fitWidths([column(100), column(900)], 1000)).toEqual([100, 900]);
  expect(fitWidths([column(100), column(900)], 620)).toEqual([100, 520]);
  expect(fitWidths([column(400), column(2000)], 1000)).toEqual([400, 600]);
  expect(fitWidths([], 500)).toEqual([]);
});

test('visualizations 4.3: where a table scrolls in any case, text that wraps has more room, but is never wider than what is seen of it', () => {
  const text = { wanted: 900, cap: 320, wideCap: 480 };
  expect(fitWidths([column(100), text, text], 600)).toEqual([100, 480, 480]);
  expect(fitWidths([column(100), text], 350)).toEqual([100, 350]);
  expect(fitWidths([column(100), text], 200)).toEqual([100, 320]);
  expect(fitWidths([column(100), text], 500)).toEqual([100, 400]);
});

test('only columns in sight are drawn', () => {
  const widths = Array.from({ length: 500 }, () => 100);
  expect(columnWindow(widths, 0, 1000, 2)).toEqual({ first: 0, end: 12 });
  expect(columnWindow(widths, 10_050, 1000, 2)).toEqual({ first: 98, end: 113 });
  expect(columnWindow(widths, 49_500, 1000, 2)).toEqual({ first: 493, end: 500 });
});

test('a sample has the first rows and some of the rest', () => {
  const rows = Array.from({ length: 1000 }, (_, at) => at);
  const sample = sampled(rows, 20);
  expect(sample).toHaveLength(20);
  expect(sample.slice(0, 10)).toEqual(rows.slice(0, 10));
  expect(sample.at(-1)).toBeGreaterThan(800);
  expect(sampled([1, 2], 20)).toEqual([1, 2]);
});
