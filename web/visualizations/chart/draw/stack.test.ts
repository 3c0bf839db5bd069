import type { ColumnType } from '@telltale/domain/results/contract.ts';
import { LineChart } from 'echarts/charts';
import { type EChartsCoreOption, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { expect, test } from 'vitest';
import { registerParts } from '../../echarts/parts.ts';
import { drawnOf, tableOf } from '../testing/drawing.ts';

registerParts([LineChart]);
use(SVGRenderer);

/** The inside of ECharts, which its types leave out. */
interface Inside {
  getModel: () => {
    getSeriesByName: (name: string) => {
      getData: () => {
        count: () => number;
        get: (dimension: string, at: number) => number;
        getCalculationInfo: (key: 'stackResultDimension') => string;
      };
    }[];
  };
}

/** The heights at which ECharts draws the points of each series. */
function drawnTops(option: object, names: readonly string[]): Record<string, (number | null)[]> {
  const chart = init(null, null, { ssr: true, renderer: 'svg', width: 800, height: 400 });
  chart.setOption(option as EChartsCoreOption);
  const model = (chart as unknown as Inside).getModel();
  const tops = names.map((name): [string, (number | null)[]] => {
    const data = model.getSeriesByName(name)[0]?.getData();
    const dimension = data?.getCalculationInfo('stackResultDimension') ?? '';
    const heights = Array.from({ length: data?.count() ?? 0 }, (_, at) => data?.get(dimension, at) ?? Number.NaN);
    return [name, heights.map((height) => (Number.isNaN(height) ? null : height))];
  });
  chart.dispose();
  return Object.fromEntries(tops);
}

const types: Record<string, ColumnType> = { x: 'integer', a: 'float', b: 'float', c: 'float' };
const kept = { missingValuesAsZero: false, columnMapping: { x: 'x', a: 'y', b: 'y', c: 'y' }, series: { stacking: 'stack' } };

test.each([
  ['line', {}],
  ['area', {}],
  ['area', { xAxis: { type: 'category' } }],
  ['line', { swappedAxes: true, xAxis: { type: 'category' } }],
])('visualizations 5.5: a gap below does not take the points of a %s above it, %j', (globalSeriesType, extra) => {
  const table = tableOf(types, [
    { x: 1, a: 10, b: 1, c: 100 },
    { x: 2, a: null, b: 2, c: 200 },
    { x: 3, a: 30, b: null, c: 300 },
    { x: 4, a: null, b: null, c: 400 },
    { x: 5, a: -50, b: 5, c: -5 },
  ]);
  expect(drawnTops(drawnOf(table, { ...kept, globalSeriesType, ...extra }), ['a', 'b', 'c'])).toEqual({
    a: [10, null, 30, null, -50],
    b: [11, 2, null, null, -45],
    c: [111, 202, 330, 400, -50],
  });
});

test('a place on a screen where only the last line has a gap is still drawn', () => {
  const many = Array.from({ length: 20_000 }, (_, at) => ({
    x: at,
    a: at === 9_001 ? 5000 : 1,
    b: at % 2 ? null : 1,
    c: at % 2 ? null : 1,
  }));
  const { a } = drawnTops(drawnOf(tableOf(types, many), { ...kept, globalSeriesType: 'line' }), ['a']);
  expect(Math.max(...(a ?? []).map(Number))).toBe(5000);
});
