import { defineVisualization } from '../define.ts';
import { detailsOptions } from './detailsOptions.ts';

const counted = new Intl.NumberFormat('en');

export const details = defineVisualization({
  type: 'DETAILS',
  name: 'Details View',
  options: detailsOptions,
  // Between title and time of a widget two rows leave no room for a value: its height follows its values.
  size: { width: 2, height: 2, minWidth: 1, minHeight: 1, autoHeight: true },
  summary: ({ rows }, { columns }) => {
    const shown = columns.filter(({ visible }) => visible).length;
    return `${shown} ${shown === 1 ? 'value' : 'values'} of one row at a time, of ${counted.format(rows.length)} ${rows.length === 1 ? 'row' : 'rows'}.`;
  },
  Renderer: () => import('./Renderer.tsx'),
  Editor: () => import('./Editor.tsx'),
});
