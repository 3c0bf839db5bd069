/** Complaint 13: the tabs after one of them was put before or after another; the same list when nothing moves. */
export function placedBeside<V extends { id: number }>(all: readonly V[], moved: number, beside: number, isAfter: boolean): readonly V[] {
  const tab = all.find(({ id }) => id === moved);
  const rest = all.filter(({ id }) => id !== moved);
  const at = rest.findIndex(({ id }) => id === beside);
  if (!tab || at < 0) return all;
  const next = rest.toSpliced(isAfter ? at + 1 : at, 0, tab);
  return next.every((one, place) => one === all[place]) ? all : next;
}

type Keys = Pick<KeyboardEvent, 'key' | 'altKey' | 'shiftKey' | 'ctrlKey' | 'metaKey'>;

/** The step of the keys that move a tab. Alt with an arrow alone is the way back in the browser. */
export function tabStep({ key, altKey, shiftKey, ctrlKey, metaKey }: Keys): -1 | 1 | null {
  if (!altKey || !shiftKey || ctrlKey || metaKey) return null;
  if (key === 'ArrowLeft') return -1;
  return key === 'ArrowRight' ? 1 : null;
}
