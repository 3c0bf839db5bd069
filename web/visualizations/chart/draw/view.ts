import type { Separators } from '@telltale/domain/visualizations/number-format.ts';
import type { ChartColors } from '../../echarts/chartColors.ts';
import type { ChartOptions } from '../chartOptions.ts';
import type { Range } from '../model/ranges.ts';
import type { Texts } from '../model/texts.ts';

/** The part that is looked at; null is all of it. */
export interface Zoom {
  x: Range | null;
  /** Left and right. */
  y: readonly [Range | null, Range | null];
}
export const allOfIt: Zoom = { x: null, y: [null, null] };

/** How a chart looks, however large it is and whatever part of it is seen. */
export interface Look {
  options: ChartOptions;
  /** Of all series, seen or not: automatic colours depend on it. */
  count: number;
  colors: ChartColors;
  texts: Texts;
  separators: Separators;
  /** Moments along x are printed by the chart's format when they are categories. */
  isMomentX: boolean;
  /** Patterns beside colours. */
  hasPatterns: boolean;
}

/** All that a drawing depends on besides the model. */
export interface View extends Look {
  zoom: Zoom;
  /** Of the plot, in pixels: how much detail makes sense. */
  width: number;
  height: number;
}
