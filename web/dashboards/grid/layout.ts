import { type FullPosition, grid } from '@telltale/domain/dashboards/grid.ts';

/** The position of each widget, by its id. */
export type Positions = ReadonlyMap<number, FullPosition>;

/** Screens 9.3: moves every widget up as far as possible; overlapping ones are put one below the other. */
export const compacted = (positions: Positions): Map<number, FullPosition> =>
  dropped(
    inReadingOrder(positions).map(([id]) => id),
    positions,
  );

/** Places widgets one after the other, each as far up as its columns are free. */
function dropped(order: readonly number[], positions: Positions): Map<number, FullPosition> {
  const bottoms: number[] = Array.from({ length: grid.columns }, () => 0);
  const placed = new Map<number, FullPosition>();
  for (const id of order) {
    const position = positions.get(id);
    if (!position) continue;
    const { col, sizeX, sizeY } = position;
    const row = Math.max(...bottoms.slice(col, col + sizeX));
    bottoms.fill(row + sizeY, col, col + sizeX);
    placed.set(id, { ...position, row });
  }
  return placed;
}

/** Positions from the top to the bottom, then from the left: the order of a single column, and of the Tab key. */
export const inReadingOrder = (positions: Positions): [number, FullPosition][] =>
  [...positions].sort(([a, one], [b, other]) => one.row - other.row || one.col - other.col || a - b);

/**
 * Swaps two neighbours in reading order. Of the columns where either stood, it takes those that give the new order with the least height.
 */
export function exchanged(positions: Positions, one: number, other: number): Map<number, FullPosition> {
  const before = inReadingOrder(positions).map(([id]) => id);
  const wanted = before.map((id) => (id === one ? other : id === other ? one : id));
  const [first, second] = [positions.get(one), positions.get(other)];
  if (!first || !second) return new Map(positions);
  const columns = ({ col, sizeX }: FullPosition, beside: FullPosition) => [
    col,
    Math.min(beside.col, grid.columns - sizeX),
    Math.max(0, beside.col + beside.sizeX - sizeX),
  ];
  const tries = columns(first, second).flatMap((col) =>
    columns(second, first).map((otherCol) =>
      dropped(wanted, new Map([...positions, [one, { ...first, col }], [other, { ...second, col: otherCol }]])),
    ),
  );
  const shows = (placed: Positions) => inReadingOrder(placed).every(([id], at) => id === wanted[at]);
  const height = (placed: Positions) => Math.max(...[...placed.values()].map(({ row, sizeY }) => row + sizeY));
  const [best = new Map(positions)] = tries.sort((a, b) => Number(shows(b)) - Number(shows(a)) || height(a) - height(b));
  return best;
}

/** The widgets that a window shows before scrolling; rather a few more than less. */
export function onFirstScreen(positions: Positions, isSingleColumn: boolean): ReadonlySet<number> {
  const bars = 100;
  const rows = Math.ceil((innerHeight - bars) / grid.rowPitch);
  const seen = inReadingOrder(positions).filter(([, { row }], place) => (isSingleColumn ? place < 3 : row < rows));
  return new Set(seen.map(([id]) => id));
}

/** Fitting widgets get as many rows as their content needs; until it is measured, as many as last time. */
export function fitted(positions: Positions, heights: ReadonlyMap<number, number>): Map<number, FullPosition> {
  return new Map(
    [...positions].map(([id, position]) => {
      const height = heights.get(id);
      return [id, position.autoHeight && height !== undefined ? { ...position, sizeY: rowsFor(height, position) } : position];
    }),
  );
}

export function rowsFor(height: number, { minSizeY, maxSizeY }: Pick<FullPosition, 'minSizeY' | 'maxSizeY'>): number {
  return Math.min(maxSizeY, Math.max(minSizeY, Math.ceil((height + grid.gap) / grid.rowPitch)));
}

export const heightOf = (sizeY: number): number => sizeY * grid.rowPitch - grid.gap;

/** Where a cell of the CSS grid is. */
export const areaOf = ({ col, row, sizeX, sizeY }: FullPosition) => ({
  gridColumn: `${col + 1} / span ${sizeX}`,
  gridRow: `${row + 1} / span ${sizeY}`,
});
