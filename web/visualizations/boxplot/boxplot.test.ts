import type { ResultColumn, ResultRow } from '@telltale/domain/results/contract.ts';
import { describe, expect, test } from 'vitest';
import { commonSettings } from '../displaySettings.ts';
import { chartColors } from '../echarts/chartColors.ts';
import { findVisualization, offeredVisualizations } from '../index.ts';
import { resultTable } from '../resultTable.ts';
import { boxplotModel } from './boxplotModel.ts';
import { boxplotOption } from './boxplotOption.ts';
import { boxplotOptions } from './boxplotOptions.ts';

const tableOf = (rows: ResultRow[], names = ['a']) =>
  resultTable({ columns: names.map((name): ResultColumn => ({ name, type: 'float' })), rows });
const column = (values: unknown[]) => boxplotModel(tableOf(values.map((a) => ({ a }))));

describe('16: BOXPLOT', () => {
  test('quartiles, whiskers at 1.5 of their distance, what lies beyond', () => {
    const { boxes } = column([1, 2, 3, 4, 5, 6, 7, 8, 9, 100, -50]);
    expect(boxes).toEqual([{ name: 'a', five: [1, 2.5, 5, 7.5, 9], outliers: [-50, 100], count: 11 }]);
  });

  test.each([
    [[5], [4.95, 5.05]],
    [[0], [-1, 1]],
    [
      [10, 20],
      [9.9, 20.2],
    ],
    [
      [-10, 20],
      [-10.1, 20.2],
    ],
  ])('the axis of %j goes a little beyond', (values, range) => {
    const found = column(values).range ?? [];
    expect(found[0]).toBeCloseTo(range[0] ?? 0, 9);
    expect(found[1]).toBeCloseTo(range[1] ?? 0, 9);
  });

  test('one box for each column with numbers; text that spells one counts, the rest does not', () => {
    const rows = [
      { a: '3', b: 'x', c: null },
      { a: 5, b: '', c: Number.NaN },
      { a: 1.7e308, b: {}, c: Number.POSITIVE_INFINITY },
    ];
    const { boxes } = boxplotModel(tableOf(rows, ['a', 'b', 'c']));
    expect(boxes.map(({ name, count }) => [name, count])).toEqual([['a', 2]]);
    expect(column([]).range).toBeNull();
  });

  test('very many outliers are a choice of them, ends included', () => {
    const far = Array.from({ length: 20_000 }, (_, at) => 1000 + at);
    const [box] = column([...Array.from({ length: 100_000 }, (_, at) => at % 10), ...far]).boxes;
    expect(box?.outliers).toHaveLength(1000);
    expect([box?.outliers[0], box?.outliers.at(-1)]).toEqual([1000, 20_999]);
  });

  test('each label of an axis changes the picture', () => {
    const model = column([1, 2, 3]);
    const drawn = (stored: object) =>
      JSON.stringify(boxplotOption(model, boxplotOptions.parse(stored), chartColors('light'), commonSettings));
    const pictures = [drawn({}), drawn({ xAxisLabel: 'Room' }), drawn({ yAxisLabel: 'Room' })];
    expect(new Set(pictures).size).toBe(3);
  });

  test('stored ones survive a save; the kind is not offered for new ones', () => {
    const stored = { xAxisLabel: 'x', yAxisLabel: 'y', more: 1 };
    const kind = findVisualization('BOXPLOT');
    expect(kind?.optionsToSave(kind.effectiveOptions(stored, { columns: [], settings: commonSettings }))).toEqual(stored);
    expect(kind?.effectiveOptions({ xAxisLabel: 7 }, { columns: [], settings: commonSettings }).xAxisLabel).toBeUndefined();
    expect(kind?.name).toBe('Boxplot (Deprecated)');
    expect(offeredVisualizations().some(({ type }) => type === 'BOXPLOT')).toBe(false);
  });
});
