export interface SortItem {
  name: string;
  isDescending: boolean;
}

/** visualizations 4.4: ascending, descending, none. With Shift the other columns stay in the sort order. */
export function nextSort(sort: readonly SortItem[], name: string, isAdded: boolean): SortItem[] {
  const current = sort.find((item) => item.name === name);
  const next = !current ? { name, isDescending: false } : current.isDescending ? null : { name, isDescending: true };
  if (!isAdded) return next ? [next] : [];
  if (!current) return [...sort, { name, isDescending: false }];
  return sort.flatMap((item) => (item.name === name ? (next ?? []) : item));
}
