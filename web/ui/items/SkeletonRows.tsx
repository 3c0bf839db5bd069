import type { Column } from './column.ts';
import styles from './SkeletonRows.module.css';

const rows = Array.from({ length: 10 }, (_, row) => row);

interface SkeletonRowsProps<T> {
  columns: readonly Column<T>[];
  cellClass: (column: Column<T>) => string;
}

/** Screens 4: the first load shows ten skeleton rows. */
export function SkeletonRows<T>({ columns, cellClass }: SkeletonRowsProps<T>) {
  return rows.map((row) => (
    <tr key={row}>
      {columns.map((column, at) => (
        <td key={column.sort ?? (column.title || at)} className={cellClass(column)}>
          {row === 0 && at === 0 && <span className="visually-hidden">Loading...</span>}
          {column.title && <span className={styles.bar} style={{ width: `${35 + ((row * 7 + at * 11) % 5) * 10}%` }} />}
        </td>
      ))}
    </tr>
  ));
}
