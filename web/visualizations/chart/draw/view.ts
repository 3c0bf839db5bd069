import type { AttributeDisplay } from '@telltale/domain/channels/attribute-display.ts';
import type { Separators } from '@telltale/domain/visualizations/number-format.ts';
import type { ChartColors } from '../../echarts/chartColors.ts';
import type { TimeMark } from '../ChartMarks.tsx';
import type { ChartOptions } from '../chartOptions.ts';
import type { BaseSeries } from '../model/base.ts';
import type { Range } from '../model/ranges.ts';
import type { Texts } from '../model/texts.ts';

/** The visible part; null is all of it. */
export interface Zoom {
  x: Range | null;
  /** Left and right. */
  y: readonly [Range | null, Range | null];
}
export const allOfIt: Zoom = { x: null, y: [null, null] };

/** The look of a chart, independent of its size and zoom. */
export interface Look {
  options: ChartOptions;
  /** The number of all series, hidden ones included: automatic colours depend on it. */
  count: number;
  colors: ChartColors;
  texts: Texts;
  separators: Separators;
  /** Moments along x are printed in the chart's format when they are categories. */
  isMomentX: boolean;
  /** Patterns beside colours. */
  hasPatterns: boolean;
  /** A value of a series as people read it: rounded, with its unit. */
  /** Unit, decimals and thresholds of a column that is an attribute. */
  displayOf: (column: string) => AttributeDisplay | undefined;
  figure: (series: Pick<BaseSeries, 'key' | 'column'>, value: number, hasUnit?: boolean) => string;
}

/** All inputs of a drawing besides the model. */
export interface View extends Look {
  zoom: Zoom;
  /** The size of the plot in pixels, which limits the useful detail. */
  width: number;
  height: number;
  /** Moments that are marked on every time chart of a dashboard. */
  marks: readonly TimeMark[];
}
