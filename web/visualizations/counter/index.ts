import { defineVisualization } from '../define.ts';
import { counterModel } from './counterModel.ts';
import { counterOptions } from './counterOptions.ts';

export const counter = defineVisualization({
  type: 'COUNTER',
  name: 'Counter',
  options: counterOptions,
  size: { width: 2, height: 5, minWidth: 1, minHeight: 1 },
  summary: (table, options) => {
    const { value, target, trend, label } = counterModel(table, options, '');
    const aim = target === null ? '' : `, target ${target}${trend === null ? '' : trend === 'reached' ? ' reached' : ' not reached'}`;
    return `Counter${label && ` ${label}`}: ${value || 'no value'}${aim}.`;
  },
  Renderer: () => import('./Renderer.tsx'),
  Editor: () => import('./Editor.tsx'),
});
