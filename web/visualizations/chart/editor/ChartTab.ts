import type { EditorProps } from '../../define.ts';
import type { ChartOptions } from '../chartOptions.ts';
import type { ChartBase } from '../model/base.ts';

/** What every tab works with. */
export interface ChartTabProps extends EditorProps<ChartOptions> {
  /** The series that the result has; null while they are looked for. */
  base: ChartBase | null;
}
