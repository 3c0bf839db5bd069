import { pageInRange, parseOrder } from '@telltale/domain/lists/paging.ts';
import type { ListState } from './listState.ts';

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

interface Arrangement<T> {
  textOf?: ((item: T) => string) | undefined;
  orderPaths?: Readonly<Record<string, string>> | undefined;
}

/** Screens 4 and complaint 54: lists that arrive whole are searched, sorted and paged here. */
export function arrangeItems<T>(
  all: readonly T[],
  state: ListState,
  { textOf = ownTexts, orderPaths = {} }: Arrangement<T> = {},
): { items: T[]; total: number; page: number } {
  const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter((item) => {
    const text = words.length > 0 ? textOf(item).toLowerCase() : '';
    return words.every((word) => text.includes(word)) && hasTags(item, state.tags);
  });
  const order = parseOrder(state.order);
  if (order) {
    const sign = order.descending ? -1 : 1;
    const path = orderPaths[order.key] ?? order.key;
    found.sort((a, b) => compare(valueAt(a, path), valueAt(b, path), sign));
  }
  const page = pageInRange(state.page, state.page_size, found.length);
  return { items: found.slice((page - 1) * state.page_size, page * state.page_size), total: found.length, page };
}

/** Missing values come last, in either direction. */
function compare(a: unknown, b: unknown, sign: number): number {
  const isMissing = Number(a == null) - Number(b == null);
  if (isMissing !== 0 || a == null) return isMissing;
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return sign * (Number(a) - Number(b));
  return sign * collator.compare(String(a), String(b));
}

/** Reads a path such as `user.name` through objects. */
function valueAt(item: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => fieldsOf(value)[key], item);
}

/** All texts of an item, and the names of objects it refers to (its owner, its groups). */
function ownTexts(item: unknown): string {
  return Object.values(fieldsOf(item))
    .flatMap((value): unknown[] => (Array.isArray(value) ? value : [value]))
    .map((value) => (typeof value === 'string' || typeof value === 'number' ? value : (fieldsOf(value).name ?? '')))
    .join('\n');
}

function hasTags(item: unknown, tags: readonly string[]): boolean {
  const own = fieldsOf(item).tags;
  return tags.every((tag) => Array.isArray(own) && own.includes(tag));
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
}
