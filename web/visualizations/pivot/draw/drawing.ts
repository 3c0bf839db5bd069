import type { PivotData } from '../data/pivotData.ts';
import type { RendererName } from '../pivotOptions.ts';
import type { PrintResult } from './resultPrinter.ts';

/** The props of every way of drawing a pivot. */
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
  /** Allows saving as a picture; an organisation may switch it off. */
  hasModeBar: boolean;
}
