import { defineVisualization } from '../define.ts';
import { choroplethSummary } from './choroplethNotes.ts';
import { choroplethOptions } from './choroplethOptions.ts';

export const choropleth = defineVisualization({
  type: 'CHOROPLETH',
  name: 'Map (Choropleth)',
  options: choroplethOptions,
  size: { width: 3, height: 8, minWidth: 2, minHeight: 1 },
  summary: choroplethSummary,
  Renderer: () => import('./Renderer.tsx'),
  Editor: () => import('./Editor.tsx'),
});
