import type { AxisType } from '../chartOptions.ts';

export const scales: readonly (readonly [AxisType, string])[] = [
  ['datetime', 'Datetime'],
  ['linear', 'Linear'],
  ['logarithmic', 'Logarithmic'],
  ['category', 'Category'],
];
export const scalesWithAuto: readonly (readonly [AxisType, string])[] = [['-', 'Auto Detect'], ...scales];
