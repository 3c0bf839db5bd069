import type { AttributeDisplay } from '@telltale/domain/channels/attribute-display.ts';
import { expect, test } from 'vitest';
import { modelOf, optionsOf, tableOf, viewOf } from '../testing/drawing.ts';
import { markSeries } from './marks.ts';

const table = tableOf({ t: 'datetime', y: 'float', z: 'float' }, [
  { t: '2024-01-01T00:00:00Z', y: 1, z: 2 },
  { t: '2024-01-01T01:00:00Z', y: 3, z: 4 },
]);
const lines = { globalSeriesType: 'line', columnMapping: { t: 'x', y: 'y', z: 'y' } };
const display: AttributeDisplay = {
  unit: '°C',
  decimals: 1,
  thresholds: [
    { value: 2, side: 'below', state: 'info', show: 'band' },
    { value: 8, side: 'above', state: 'danger', show: 'line' },
  ],
};
const displayOf = (column: string) => (column === 'y' ? display : undefined);
const marked = (
  stored: object,
  marks = [{ key: 'a', at: 1_704_069_000_000, until: 1_704_070_000_000, text: 'Door', tone: 'note' as const }],
) =>
  markSeries(
    modelOf(table, { ...lines, ...stored }),
    viewOf(optionsOf(table, { ...lines, ...stored }), table, 2, 't', { marks }),
    displayOf,
  );

test('thresholds of an attribute that is seen are lines, and bands where they are shown as bands', () => {
  const [thresholds, times] = marked({});
  expect(thresholds).toMatchObject({
    yAxisIndex: 0,
    markLine: { data: [{ yAxis: 2, label: { formatter: '2 °C' } }, { yAxis: 8 }] },
    markArea: { data: [[{ yAxis: Number.NEGATIVE_INFINITY }, { yAxis: 2 }]] },
  });
  expect(times).toMatchObject({
    markLine: { data: [{ xAxis: 1_704_069_000_000 }] },
    markArea: { data: [[{ xAxis: 1_704_069_000_000 }, { xAxis: 1_704_070_000_000 }]] },
  });
});

test('a stack, a chart on its side and an axis without the attribute have no thresholds', () => {
  expect(marked({ series: { stacking: 'stack' } }, [])).toEqual([]);
  expect(marked({ swappedAxes: true })).toEqual([]);
  expect(marked({ columnMapping: { t: 'x', z: 'y' } }, [])).toEqual([]);
});
