import { plainText } from '../../cellValue.ts';
import type { Sliced } from '../../table/view/sliced.ts';
import { sortedOrder } from '../../table/view/sortedOrder.ts';
import { cleanNumber, momentOf, type ScaleType } from './values.ts';

/** Maps values to places on an axis. */
export interface Scale {
  type: ScaleType;
  /** NaN for a value without a place: text on an axis of numbers. */
  placeOf: (value: unknown) => number;
  /** The categories of a category axis, by place; empty otherwise. */
  categories: unknown[];
}

export function scaleOf(type: ScaleType): Scale {
  if (type === 'category') return categoryScale();
  return { type, categories: [], placeOf: type === 'time' ? momentOf : cleanNumber };
}

/** Places in order of first appearance; equal texts are one category. */
function categoryScale(): Scale {
  const categories: unknown[] = [];
  const places = new Map<unknown, number>();
  const byText = new Map<string, number>();
  const placeOf = (value: unknown): number => {
    const known = places.get(value);
    if (known !== undefined) return known;
    const text = value === null || value === undefined ? '\u0000' : plainText(value);
    let place = byText.get(text);
    if (place === undefined) {
      place = categories.length;
      categories.push(value ?? null);
      byText.set(text, place);
    }
    if (typeof value !== 'object' || value === null) places.set(value, place);
    return place;
  };
  return { type: 'category', categories, placeOf };
}

/** The sorted place of each category by its current place: nothing first, then numbers and moments, then text. */
export function* sortedPlaces(categories: readonly unknown[]): Sliced<Uint32Array> {
  const rows = categories.map((category) => ({ category }));
  const order = yield* sortedOrder(rows, [{ read: ({ category }) => category, type: null, isDescending: false }]);
  const places = new Uint32Array(categories.length);
  for (let place = 0; place < order.length; place += 1) places[order[place] ?? 0] = place;
  return places;
}
