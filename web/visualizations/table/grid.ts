import type { ResultRow } from '@telltale/domain/results/contract.ts';
import type { OpenedCell } from '../columns/Cell.tsx';
import type { ColumnView } from '../columns/columnView.ts';
import type { HeaderProps } from './Header.tsx';

/** The props of both ways of drawing a page of rows. */
export interface GridProps extends Pick<HeaderProps, 'sort' | 'onSort' | 'onResize' | 'onResetWidth'> {
  columns: readonly ColumnView[];
  widths: readonly number[];
  /** Rows on this page. */
  count: number;
  rowAt: (index: number) => ResultRow | undefined;
  /** The row's index in the result: its unfolded state moves with it when the order changes. */
  keyAt: (index: number) => number;
  /** Rows on the pages before. */
  before: number;
  /** Rows on all pages. */
  total: number;
  label: string;
  /** A change scrolls the page back to its top. */
  topOf: string;
  onOpen: (cell: OpenedCell) => void;
}

/** The width with the last column, which takes the remaining room. */
export const tableWidth = (widths: readonly number[], room: number): number =>
  Math.max(
    room,
    widths.reduce((sum, width) => sum + width, 0),
  );
