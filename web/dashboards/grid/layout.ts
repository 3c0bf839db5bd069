import { type FullPosition, grid } from '@telltale/domain/dashboards/grid.ts';

/** Where each widget stands, by its id. */
export type Positions = ReadonlyMap<number, FullPosition>;

/** Screens 9.3: everything moves up as far as it can; what shared a place stands one below the other. */
export function compacted(positions: Positions): Map<number, FullPosition> {
  const bottoms: number[] = Array.from({ length: grid.columns }, () => 0);
  const placed = new Map<number, FullPosition>();
  for (const [id, position] of inReadingOrder(positions)) {
    const { col, sizeX, sizeY } = position;
    const row = Math.max(...bottoms.slice(col, col + sizeX));
    bottoms.fill(row + sizeY, col, col + sizeX);
    placed.set(id, { ...position, row });
  }
  return placed;
}

/** From the top to the bottom, then from the left: the order of a single column, and of the Tab key. */
export const inReadingOrder = (positions: Positions): [number, FullPosition][] =>
  [...positions].sort(([a, one], [b, other]) => one.row - other.row || one.col - other.col || a - b);

/** What a window shows before anybody scrolls; a little more than less. */
export function onFirstScreen(positions: Positions, isSingleColumn: boolean): ReadonlySet<number> {
  const rows = Math.ceil(innerHeight / grid.rowPitch);
  const seen = inReadingOrder(positions).filter(([, { row }], place) => (isSingleColumn ? place < 3 : row < rows));
  return new Set(seen.map(([id]) => id));
}

/** Widgets that fit their content have as many rows as that needs; until it is measured, as many as it needed last time. */
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
