import { ExactDecimal } from '@telltale/domain/results/exact-decimal.ts';
import { expect, test } from 'vitest';
import { absentTexts, type CellFormat, convertCsvColumn } from './cell-types.ts';

const column = (cells: string[], format: Partial<CellFormat> = {}) => {
  const convert = convertCsvColumn({ absent: new Set(absentTexts), decimal: '.', ...format })(cells);
  return cells.map(convert);
};

test.each([
  [
    ['1', '-2', '+3'],
    [1, -2, 3],
  ],
  [
    ['1', '2.5', '1e3', '.5'],
    [1, 2.5, 1000, 0.5],
  ],
  [['9007199254740993'], [9007199254740993n]],
  [['0.12345678901234567890'], [new ExactDecimal('0.12345678901234567890')]],
  [
    ['007', '1'],
    ['007', '1'],
  ],
  [
    ['1', 'x'],
    ['1', 'x'],
  ],
  [
    ['1', '', 'NA', 'null'],
    [1, null, null, null],
  ],
  [
    ['true', 'FALSE'],
    [true, false],
  ],
  [
    ['true', '1'],
    ['true', '1'],
  ],
  [
    ['2026-01-02', '2026-01-03'],
    ['2026-01-02', '2026-01-03'],
  ],
  [
    ['2026-01-02 03:04:05', '2026-01-02T03:04'],
    ['2026-01-02T03:04:05', '2026-01-02T03:04:00'],
  ],
  [['2026-01-02 03:04:05.678901+02:00'], ['2026-01-02T03:04:05.678+02:00']],
  [
    [' 1', '2 '],
    [1, 2],
  ],
  [
    ['', ''],
    [null, null],
  ],
  [
    ['a', ' b'],
    ['a', ' b'],
  ],
])('%o → %o', (cells, values) => {
  expect(column(cells)).toEqual(values);
});

test('decimal comma and thousands', () => {
  expect(column(['1.234,5', '2'], { decimal: ',', thousands: '.' })).toEqual([1234.5, 2]);
});

test('a later cell that is of another kind stays the text it was', () => {
  const convert = convertCsvColumn({ absent: new Set(), decimal: '.' })(['1', '2']);
  expect(['3', 'broken', ''].map(convert)).toEqual([3, 'broken', null]);
});
