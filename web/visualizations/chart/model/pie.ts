import type { ChartOptions } from '../chartOptions.ts';
import type { ChartBase } from './base.ts';
import type { Texts } from './texts.ts';

export interface SliceName {
  /** The raw value as text: the name in the options, whatever the format of numbers. */
  key: string;
  /** The text that viewers read. */
  name: string;
}

export interface Slice extends SliceName {
  /** The raw value of the slice, or undefined without an x column. */
  category: unknown;
  value: number;
  /** The share of the sum of absolute values, times 100. */
  percent: number;
  row: number;
  /** The index among the slices of all pies: the same value has the same colour everywhere. */
  place: number;
}

export interface Pie {
  key: string;
  name: string;
  slices: Slice[];
}

export interface PieModel {
  pies: Pie[];
  /** All slices, hidden ones included, in order of first appearance. */
  names: SliceName[];
  notes: string[];
}

/** Further slices are summed up in one. */
const mostSlices = 200;

/** visualizations 5.1: a slice is known by its value, a moment by its text. */
export function sliceNames(texts: Pick<Texts, 'raw'>, isMoment: boolean): (category: unknown) => SliceName {
  return (category) => {
    const name = texts.raw(category, isMoment);
    const isNamedByText = isMoment || (typeof category === 'object' && category !== null);
    return { key: isNamedByText ? name : String(category ?? null), name };
  };
}

/** visualizations 5.10: a pie per series; the legend hides slices, not series. */
export function pieModel(
  base: ChartBase,
  { piesort }: ChartOptions,
  hidden: ReadonlySet<string>,
  nameOf: (category: unknown) => SliceName,
): PieModel {
  const hasX = base.mapping.x !== undefined;
  const names: SliceName[] = [];
  const places = new Map<string, number>();
  const placeOf = ({ key, name }: SliceName) => {
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, names.length);
    return names.push({ key, name }) - 1;
  };
  const notes = [...base.notes];
  const pies = base.series.map((series, index): Pie => {
    const all = Array.from(series.x, (x, at): Slice => {
      const category = hasX ? base.x.categories[x] : undefined;
      const name = hasX ? nameOf(category) : { key: `Slice ${index}`, name: `Slice ${index}` };
      const value = series.y[at] ?? Number.NaN;
      return { ...name, category, value: Number.isNaN(value) ? 0 : value, percent: 0, row: series.row[at] ?? 0, place: placeOf(name) };
    });
    const few = withOthers(all);
    if (few.length < all.length) {
      placeOf(others);
      notes.push(`The smallest ${all.length - few.length + 1} slices of ${series.name} are drawn as one.`);
    }
    const slices = few.filter(({ key }) => !hidden.has(key));
    const sum = slices.reduce((total, { value }) => total + Math.abs(value), 0);
    for (const slice of slices) slice.percent = sum === 0 ? 0 : (slice.value / sum) * 100;
    if (piesort) slices.sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
    return { key: series.key, name: series.name, slices };
  });
  return { pies, names, notes };
}

const others: SliceName = { key: 'Others', name: 'Others' };

function withOthers(slices: Slice[]): Slice[] {
  if (slices.length <= mostSlices) return slices;
  const sorted = slices.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const rest = sorted.slice(mostSlices - 1);
  const value = rest.reduce((total, slice) => total + slice.value, 0);
  return [
    ...sorted.slice(0, mostSlices - 1),
    { ...others, category: others.name, value, percent: 0, row: 0xffffffff, place: mostSlices - 1 },
  ];
}

/** visualizations 5.10: one row for up to two pies, otherwise two. */
export function pieGrid(count: number): { columns: number; rows: number } {
  const rows = count > 2 ? 2 : 1;
  return { rows, columns: Math.max(1, Math.ceil(count / rows)) };
}
