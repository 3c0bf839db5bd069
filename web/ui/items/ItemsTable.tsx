import CaretDownOutlined from '@ant-design/icons/CaretDownOutlined';
import CaretUpOutlined from '@ant-design/icons/CaretUpOutlined';
import type { Key } from 'react';
import { type Column, nextOrder, sortState } from './column.ts';
import styles from './ItemsTable.module.css';
import { SkeletonRows } from './SkeletonRows.tsx';

interface ItemsTableProps<T> {
  /** The name of the table, for screen readers. */
  label: string;
  columns: readonly Column<T>[];
  items: readonly T[];
  keyOf: (item: T) => Key;
  order: string;
  onOrder: (order: string) => void;
  /** Shows skeleton rows. */
  isLoading?: boolean;
  /** The rows are stale. */
  isStale?: boolean;
}

export function ItemsTable<T>({ label, columns, items, keyOf, order, onOrder, isLoading = false, isStale = false }: ItemsTableProps<T>) {
  // The column that names the row: cards on phones show it without its title.
  const lead = columns.findIndex(({ isMark }) => !isMark);
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={label} aria-busy={isLoading || isStale}>
        <colgroup>
          {columns.map((column, at) => (
            <col key={keyOfColumn(column, at)} className={hiddenBelow(column)} style={{ width: column.width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th key={keyOfColumn(column, at)} scope="col" className={cellClass(column)} aria-sort={sortState(order, column.sort)}>
                <HeaderCell column={column} order={order} onOrder={onOrder} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={isStale ? styles.stale : undefined}>
          {isLoading ? (
            <SkeletonRows columns={columns} cellClass={cellClass} />
          ) : (
            items.map((item) => (
              <tr key={keyOf(item)}>
                {columns.map((column, at) => (
                  <td
                    key={keyOfColumn(column, at)}
                    className={`${cellClass(column)} ${at === lead ? styles.lead : ''}`}
                    data-label={at > lead && !column.isMark ? column.title || undefined : undefined}
                    data-card={column.card}
                  >
                    {column.cell(item)}
                  </td>
                ))}
              </tr>
            ))
          )}
        </tbody>
      </table>
    </div>
  );
}

interface HeaderCellProps<T> {
  column: Column<T>;
  order: string;
  onOrder: (order: string) => void;
}

function HeaderCell<T>({ column: { title, sort }, order, onOrder }: HeaderCellProps<T>) {
  if (sort === undefined) return title ? <span>{title}</span> : <span className="visually-hidden">Actions</span>;
  const state = sortState(order, sort);
  return (
    <button type="button" className={styles.sort} onClick={() => onOrder(nextOrder(order, sort))}>
      {title}
      <span className={state === 'none' ? styles.unsorted : styles.sorted} aria-hidden>
        {state === 'descending' ? <CaretDownOutlined /> : <CaretUpOutlined />}
      </span>
    </button>
  );
}

const keyOfColumn = <T,>({ title, sort }: Column<T>, at: number) => sort ?? (title || `column-${at}`);

const hiddenBelow = <T,>({ hideBelow }: Column<T>) => (hideBelow ? styles[`below${hideBelow}`] : undefined);

function cellClass<T>(column: Column<T>): string {
  const isAction = column.isMark || (column.title === '' && column.sort === undefined);
  return [hiddenBelow(column), styles[column.align ?? 'start'], isAction && styles.action].filter(Boolean).join(' ');
}
