import { defineVisualization } from '../define.ts';
import { displayName } from '../filters/columnName.ts';
import { chartOptions } from './chartOptions.ts';
import { chartTypeNames } from './chartTypes.ts';
import { mappingOf } from './columnMapping.ts';
import { firstChartOptions } from './firstMapping.ts';

const counted = new Intl.NumberFormat('en');
const mostNames = 5;

export const chart = defineVisualization({
  type: 'CHART',
  name: 'Chart',
  options: chartOptions,
  firstOptions: firstChartOptions,
  size: { width: 3, height: 8, minWidth: 1, minHeight: 5 },
  summary: ({ rows, columns }, options) => {
    const { x, y, series, zVal } = mappingOf(options, columns);
    const names = (zVal && options.globalSeriesType === 'heatmap' ? [zVal] : y).map(displayName);
    const what = names.slice(0, mostNames).join(', ') + (names.length > mostNames ? ` and ${names.length - mostNames} more` : '');
    const by = x === undefined ? '' : ` by ${displayName(x)}`;
    const apart = series === undefined ? '' : `, one series for each ${displayName(series)}`;
    const size = `${counted.format(rows.length)} ${rows.length === 1 ? 'row' : 'rows'}`;
    return `${chartTypeNames[options.globalSeriesType]} chart${what && ` of ${what}`}${by}${apart}, from ${size}.`;
  },
  Renderer: () => import('./Renderer.tsx'),
  Editor: () => import('./Editor.tsx'),
});
