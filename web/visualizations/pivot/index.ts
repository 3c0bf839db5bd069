import { defineVisualization } from '../define.ts';
import { attributesOf, pivotOptions } from './pivotOptions.ts';

const counted = new Intl.NumberFormat('en');
const mostNames = 4;
const listed = (names: readonly string[]): string =>
  names.length > mostNames ? `${names.slice(0, mostNames).join(', ')} and ${names.length - mostNames} more` : names.join(', ');

export const pivot = defineVisualization({
  type: 'PIVOT',
  name: 'Pivot Table',
  options: pivotOptions,
  size: { width: 3, height: 10, minWidth: 2, minHeight: 1 },
  summary: (table, options) => {
    const { rows, cols } = attributesOf(table, options);
    const by = [rows.length > 0 && `rows by ${listed(rows)}`, cols.length > 0 && `columns by ${listed(cols)}`].filter(Boolean).join(', ');
    return `${options.rendererName} of ${options.aggregatorName} over ${counted.format(table.rows.length)} rows${by && `: ${by}`}.`.slice(
      0,
      1000,
    );
  },
  Renderer: () => import('./Renderer.tsx'),
  Editor: () => import('./Editor.tsx'),
});
