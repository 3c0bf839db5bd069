import { isNumber, readLocal, writeLocal } from '../../queries/localOptions.ts';

/** In a single column every widget is as wide as the window, and has another height. */
export type Arrangement = 'grid' | 'column';

type Kept = [id: number, height: number][];

const storageKey = (arrangement: Arrangement) => `telltale:widgetHeights:${arrangement}`;
/** The number of widgets to keep; those that were seen longest ago are dropped. */
const most = 500;

const isKept = (value: unknown): value is Kept =>
  Array.isArray(value) && value.every((one) => Array.isArray(one) && one.length === 2 && one.every(isNumber));
const read = (arrangement: Arrangement): Kept => readLocal(storageKey(arrangement), [], isKept);

/** Complaint 29: the heights of fitting widgets when this browser last showed them, used for their skeletons. */
export function keptHeights(ids: readonly number[], arrangement: Arrangement): Map<number, number> {
  const wanted = new Set(ids);
  return new Map(read(arrangement).filter(([id]) => wanted.has(id)));
}

export function keepHeights(heights: ReadonlyMap<number, number>, arrangement: Arrangement): void {
  const others = read(arrangement).filter(([id]) => !heights.has(id));
  writeLocal(storageKey(arrangement), [...others, ...heights].slice(-most));
}
