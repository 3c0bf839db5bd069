import { formatOrder, parseOrder } from '@telltale/domain/lists/paging.ts';
import type { ReactNode } from 'react';

export interface Column<T> {
  /** Empty for a column of actions. */
  title: string;
  /** The key by which the list is ordered; without it the column cannot be sorted. */
  sort?: string;
  cell: (item: T) => ReactNode;
  width?: number | string;
  align?: 'start' | 'center' | 'end';
  /** Left out where the table is narrower than this many pixels; the cards of phones show every column. */
  hideBelow?: 640 | 800 | 960;
}

/** Screens 4: the first click sorts ascending, the second descending. */
export function nextOrder(order: string, key: string): string {
  const current = parseOrder(order);
  return formatOrder({ key, descending: current?.key === key && !current.descending });
}

export function sortState(order: string, key: string | undefined): 'ascending' | 'descending' | 'none' | undefined {
  if (key === undefined) return undefined;
  const current = parseOrder(order);
  if (current?.key !== key) return 'none';
  return current.descending ? 'descending' : 'ascending';
}
