import { type ListParams, largestPageSize } from './contract.ts';

export type PageFault = { status: 400 | 404; message: string };

/** server-behaviour 1.2: the checks in their order, after counting. */
export function pageFault({ page, page_size }: Pick<ListParams, 'page' | 'page_size'>, count: number): PageFault | null {
  if (page < 1) return { status: 400, message: 'Page must be positive integer.' };
  if (count > 0 && (page - 1) * page_size >= count) return { status: 400, message: 'Page is out of range.' };
  if (page_size < 1 || page_size > largestPageSize) {
    return { status: 400, message: `Page size is out of range (1-${largestPageSize}).` };
  }
  if (count === 0 && page > 1) return { status: 404, message: 'This page does not exist.' };
  return null;
}

/** Q5: in the browser the page is clamped to the range instead. */
export function pageInRange(page: number, pageSize: number, total: number): number {
  const last = Math.max(1, Math.ceil(total / Math.max(1, pageSize)));
  return Math.min(Math.max(1, Math.trunc(page) || 1), last);
}

/** Q9: the paginator hides when everything fits (or fits 5 when sizes can be chosen). */
export function isPaginatorHidden(total: number, pageSize: number, canChooseSize: boolean): boolean {
  return total <= (canChooseSize ? 5 : pageSize);
}

export interface Order {
  key: string;
  descending: boolean;
}

/** `-created_at` → created_at, descending. */
export function parseOrder(order: string | undefined): Order | null {
  if (!order) return null;
  const descending = order.startsWith('-');
  const key = descending ? order.slice(1) : order;
  return key ? { key, descending } : null;
}

export const formatOrder = ({ key, descending }: Order): string => (descending ? `-${key}` : key);
