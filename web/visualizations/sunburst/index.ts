import { z } from 'zod';
import { defineVisualization } from '../define.ts';
import { sunburstModel } from './sunburstModel.ts';
import { sunburstSummary } from './sunburstSummary.ts';

export const sunburst = defineVisualization({
  type: 'SUNBURST_SEQUENCE',
  name: 'Sunburst Sequence',
  options: z.looseObject({}),
  size: { width: 3, height: 7, minWidth: 1, minHeight: 1 },
  summary: (table) => sunburstSummary(sunburstModel(table)),
  Renderer: () => import('./Renderer.tsx'),
  Editor: () => import('./Editor.tsx'),
});
