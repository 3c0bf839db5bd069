import type { PivotData } from '../data/pivotData.ts';
import type { RendererName } from '../pivotOptions.ts';
import type { PrintResult } from './resultPrinter.ts';

/** What every way of drawing a pivot is given. */
export interface DrawingProps {
  data: PivotData;
  rowAttributes: readonly string[];
  colAttributes: readonly string[];
  rendererName: RendererName;
  /** "Sum of value". */
  measure: string;
  print: PrintResult;
  totals: { rowTotals: boolean; colTotals: boolean };
  label: string;
  /** Saving as a picture; an organisation may not want it. */
  hasModeBar: boolean;
}
