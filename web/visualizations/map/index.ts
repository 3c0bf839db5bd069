import { defineVisualization } from '../define.ts';
import { mapModel } from './mapModel.ts';
import { mapSummary } from './mapNotes.ts';
import { mapOptions } from './mapOptions.ts';

export const map = defineVisualization({
  type: 'MAP',
  name: 'Map (Markers)',
  options: mapOptions,
  size: { width: 3, height: 8, minWidth: 2, minHeight: 1 },
  summary: (table, options) => mapSummary(mapModel(table, options), options.classify !== null),
  Renderer: () => import('./Renderer.tsx'),
  Editor: () => import('./Editor.tsx'),
});
