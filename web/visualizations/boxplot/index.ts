import { defineVisualization } from '../define.ts';
import { boxplotModel } from './boxplotModel.ts';
import { boxplotOptions } from './boxplotOptions.ts';
import { boxplotSummary } from './boxplotSummary.ts';

export const boxplot = defineVisualization({
  type: 'BOXPLOT',
  name: 'Boxplot (Deprecated)',
  options: boxplotOptions,
  size: { width: 3, height: 8, minWidth: 1, minHeight: 5 },
  isDeprecated: true,
  summary: (table) => boxplotSummary(boxplotModel(table)),
  Renderer: () => import('./Renderer.tsx'),
  Editor: () => import('./Editor.tsx'),
});
