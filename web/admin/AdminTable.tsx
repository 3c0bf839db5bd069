import type { Key, ReactNode } from 'react';
import { useSortedItems } from '../api/useSortedItems.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import type { Column } from '../ui/items/column.ts';
import { ItemsTable } from '../ui/items/ItemsTable.tsx';
import { Paginator } from '../ui/items/Paginator.tsx';

/** Q9. */
/** Q9: the sizes of admin tables. */
export const adminPageSizes = [10, 25, 50];

interface AdminTableProps<T> {
  label: string;
  columns: readonly Column<T>[];
  items: readonly T[];
  keyOf: (item: T) => Key;
  order: string;
  empty: ReactNode;
}

export function AdminTable<T>({ label, columns, items, keyOf, order, empty }: AdminTableProps<T>) {
  const list = useSortedItems(items, order, 25);
  if (items.length === 0) return <EmptyState>{empty}</EmptyState>;
  return (
    <>
      <ItemsTable label={label} columns={columns} items={list.items} keyOf={keyOf} order={list.order} onOrder={list.setOrder} />
      <Paginator
        page={list.page}
        pageSize={list.pageSize}
        total={list.total}
        onPage={list.setPage}
        onPageSize={list.setPageSize}
        pageSizes={adminPageSizes}
      />
    </>
  );
}
