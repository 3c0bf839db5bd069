import { defineVisualization } from '../define.ts';
import { tableOptions } from './tableOptions.ts';

const counted = new Intl.NumberFormat('en');
const mostNames = 8;

export const table = defineVisualization({
  type: 'TABLE',
  name: 'Table',
  options: tableOptions,
  // Q5: the renderer sets it by its context.
  transient: ['paginationSize'],
  size: { width: 3, height: 14, minWidth: 2, minHeight: 1, autoHeight: true },
  summary: ({ rows }, { columns }) => {
    const titles = columns.filter(({ visible }) => visible).map(({ title, name }) => title || name);
    const named = titles.slice(0, mostNames).join(', ');
    const more = titles.length > mostNames ? ` and ${titles.length - mostNames} more` : '';
    return `Table of ${counted.format(rows.length)} ${rows.length === 1 ? 'row' : 'rows'} and ${titles.length} ${titles.length === 1 ? 'column' : 'columns'}${named && `: ${named}`}${more}.`;
  },
  Renderer: () => import('./Renderer.tsx'),
  Editor: () => import('./Editor.tsx'),
});
