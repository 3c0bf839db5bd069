import { formatOrder, parseOrder } from '@telltale/domain/lists/paging.ts';
import type { ReactNode } from 'react';

export interface Column<T> {
  /** Empty for a column of actions. */
  title: string;
  /** The sort key; without it the column cannot be sorted. */
  sort?: string;
  cell: (item: T) => ReactNode;
  width?: number | string;
  align?: 'start' | 'center' | 'end';
  /** Hidden where the table is narrower than this many pixels; cards on phones show every column. */
  hideBelow?: 640 | 800 | 960;
  /**
   * On the cards of phones: in the corner, as a line without its title, or beside another one. Lists of many rows say so, to fit more of
   * them on a screen; otherwise a column is a line with its title.
   */
  card?: 'corner' | 'line' | 'half';
  /** A sign before the name, such as a bell: the cards of phones show it in their corner. */
  isMark?: boolean;
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
