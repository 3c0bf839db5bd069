import { largestPageSize } from '@telltale/domain/lists/contract.ts';

/** Q7: the state of a list, under the names of its query string. */
export interface ListState {
  q: string;
  page: number;
  page_size: number;
  order: string;
  tags: readonly string[];
}

export type ListDefaults = Pick<ListState, 'page_size' | 'order'>;

export function readListState(params: URLSearchParams, defaults: ListDefaults): ListState {
  return {
    q: params.get('q') ?? '',
    page: wholeNumber(params.get('page')) ?? 1,
    page_size: Math.min(wholeNumber(params.get('page_size')) ?? defaults.page_size, largestPageSize),
    order: params.get('order') || defaults.order,
    tags: [...new Set(params.getAll('tags').filter(Boolean))],
  };
}

/** The address of a state: default values are left out, foreign keys are kept (screens 1.2). */
export function writeListState(params: URLSearchParams, state: ListState, defaults: ListDefaults): URLSearchParams {
  const next = new URLSearchParams(params);
  const set = (key: string, value: string, usual: string) => (value === usual ? next.delete(key) : next.set(key, value));
  set('q', state.q, '');
  set('page', String(state.page), '1');
  set('page_size', String(state.page_size), String(defaults.page_size));
  set('order', state.order, defaults.order);
  next.delete('tags');
  for (const tag of state.tags) next.append('tags', tag);
  return next;
}

/** Screens 4: a click selects only that tag or clears it, with Shift it joins or leaves the set. */
export function toggledTags(tags: readonly string[], tag: string, isSet: boolean): readonly string[] {
  const isSelected = tags.includes(tag);
  if (isSet) return isSelected ? tags.filter((other) => other !== tag) : [...tags, tag];
  return isSelected && tags.length === 1 ? [] : [tag];
}

function wholeNumber(text: string | null): number | null {
  return text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}
