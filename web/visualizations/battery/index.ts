import { defineVisualization } from '../define.ts';
import { commonSettings } from '../displaySettings.ts';
import { batteryModel } from './batteryModel.ts';
import { batteryOptions, rangeFault } from './batteryOptions.ts';

export const battery = defineVisualization({
  type: 'BATTERY',
  name: 'Battery',
  options: batteryOptions,
  faultOf: rangeFault,
  size: { width: 2, height: 5, minWidth: 1, minHeight: 3 },
  summary: (table, options) => {
    const { text, level, fill } = batteryModel(table, options, commonSettings);
    const part = fill === null ? '' : `, ${Math.round(fill * 100)} percent of its range`;
    return `Battery${options.label && ` ${options.label}`}: ${text ?? 'no value'}${part}${level ? `, ${level}` : ''}.`;
  },
  Renderer: () => import('./Renderer.tsx'),
  Editor: () => import('./Editor.tsx'),
});
