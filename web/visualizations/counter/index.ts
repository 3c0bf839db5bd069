import { defineVisualization } from '../define.ts';
import { separatorsOf } from '../displaySettings.ts';
import { counterModel } from './counterModel.ts';
import { counterOptions } from './counterOptions.ts';

export const counter = defineVisualization({
  type: 'COUNTER',
  name: 'Counter',
  options: counterOptions,
  size: { width: 2, height: 5, minWidth: 1, minHeight: 1 },
  summary: (table, options, settings) => {
    const { value, target, trend, label } = counterModel(table, options, '', separatorsOf(settings));
    const aim = target === null ? '' : `, target ${target}${trend === null ? '' : trend === 'reached' ? ' reached' : ' not reached'}`;
    return `Counter${label && ` ${label}`}: ${value || 'no value'}${aim}.`;
  },
  Renderer: () => import('./Renderer.tsx'),
  Editor: () => import('./Editor.tsx'),
});
