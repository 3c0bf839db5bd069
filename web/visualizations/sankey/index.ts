import { z } from 'zod';
import { defineVisualization } from '../define.ts';
import { sankeyModel } from './sankeyModel.ts';
import { sankeySummary } from './sankeySummary.ts';

export const sankey = defineVisualization({
  type: 'SANKEY',
  name: 'Sankey',
  options: z.looseObject({}),
  size: { width: 3, height: 7, minWidth: 1, minHeight: 1 },
  summary: (table) => sankeySummary(sankeyModel(table)),
  Renderer: () => import('./Renderer.tsx'),
  Editor: () => import('./Editor.tsx'),
});
