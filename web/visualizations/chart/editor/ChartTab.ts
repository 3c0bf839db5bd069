import type { EditorProps } from '../../define.ts';
import type { ChartOptions } from '../chartOptions.ts';
import type { ChartBase } from '../model/base.ts';

/** The props of every tab. */
export interface ChartTabProps extends EditorProps<ChartOptions> {
  /** The series of the result; null while they are computed. */
  base: ChartBase | null;
}
