import type { ResultRow } from '@telltale/domain/results/contract.ts';
import { memo } from 'react';
import { Cell, type OpenedCell } from '../columns/Cell.tsx';
import type { ColumnView } from '../columns/columnView.ts';
import { cellPadding } from './sizes.ts';
import styles from './Table.module.css';

interface RowProps {
  row: ResultRow;
  /** Counted from 1, without the header. */
  number: number;
  columns: readonly ColumnView[];
  widths: readonly number[];
  first: number;
  end: number;
  isOneLine: boolean;
  onOpen: (cell: OpenedCell) => void;
}

export const Row = memo(function Row({ row, number, columns, widths, first, end, isOneLine, onOpen }: RowProps) {
  return (
    <tr aria-rowindex={number + 1}>
      {first > 0 && <td colSpan={first} aria-hidden />}
      {columns.slice(first, end).map((column, at) => (
        <td key={column.name} className={cellClass(column)} aria-colindex={first + at + 1}>
          <Cell column={column} row={row} width={(widths[first + at] ?? 0) - cellPadding * 2} isOneLine={isOneLine} onOpen={onOpen} />
        </td>
      ))}
      <td colSpan={columns.length - end + 1} aria-hidden />
    </tr>
  );
});

function cellClass({ alignContent, displayAs }: ColumnView): string {
  const hasFigures = displayAs === 'number' || displayAs === 'datetime';
  return `${styles[alignContent]}${hasFigures ? ` ${styles.figures}` : ''}`;
}
