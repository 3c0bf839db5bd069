import { defineVisualization } from '../define.ts';
import { commonSettings } from '../displaySettings.ts';
import { cohortModel } from './cohortModel.ts';
import { cohortOptions } from './cohortOptions.ts';

export const cohort = defineVisualization({
  type: 'COHORT',
  name: 'Cohort',
  options: cohortOptions,
  size: { width: 3, height: 8, minWidth: 1, minHeight: 1, autoHeight: true },
  summary: (table, options) => {
    const model = cohortModel(table, options, commonSettings);
    const [first, last] = [model?.rows[0], model?.rows.at(-1)];
    if (!model || !first || !last) return 'Cohort without data.';
    const rows = model.rows.length + model.left.rows;
    const stages = model.stages.length + model.left.stages;
    return `Cohort of ${rows} ${rows === 1 ? 'group' : 'groups'} over ${stages} ${stages === 1 ? 'stage' : 'stages'}, from ${first.label} to ${last.label}.`;
  },
  Renderer: () => import('./Renderer.tsx'),
  Editor: () => import('./Editor.tsx'),
});
