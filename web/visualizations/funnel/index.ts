import { defineVisualization } from '../define.ts';
import { commonSettings } from '../displaySettings.ts';
import { funnelModel } from './funnelModel.ts';
import { funnelOptions } from './funnelOptions.ts';

export const funnel = defineVisualization({
  type: 'FUNNEL',
  name: 'Funnel',
  options: funnelOptions,
  size: { width: 3, height: 10, minWidth: 1, minHeight: 1 },
  summary: (table, options) => {
    const { steps = [] } = funnelModel(table, options, commonSettings) ?? {};
    const [first, last] = [steps[0], steps.at(-1)];
    if (!first || !last) return 'Funnel without steps.';
    const told = ({ name, value }: typeof first) => `${name.slice(0, 60)} ${value}`;
    if (steps.length === 1) return `Funnel of one step: ${told(first)}.`;
    return `Funnel of ${steps.length} steps, from ${told(first)} to ${told(last)}, ${last.maxText} of the largest.`;
  },
  Renderer: () => import('./Renderer.tsx'),
  Editor: () => import('./Editor.tsx'),
});
