import { z } from 'zod';

/** D9 and screens 9.3: six columns, a row every 50 px of which 15 are the gap, one column on narrow screens. */
export const grid = {
  columns: 6,
  rowPitch: 50,
  gap: 15,
  singleColumnBelow: 800,
  defaultSizeX: 3,
  defaultSizeY: 3,
  minSizeX: 1,
  maxSizeX: 6,
  minSizeY: 1,
  maxSizeY: 1000,
} as const;

/** A limit that keeps pages from becoming endless. */
const lowestRow = 100_000;

const size = (most: number) => z.int().min(1).max(most);

/** D3: a stored position. Clients may send a part of it; `positionOf` fills in the rest. */
export const Position = z
  .object({
    col: z
      .int()
      .min(0)
      .max(grid.columns - 1),
    row: z.int().min(0).max(lowestRow),
    sizeX: size(grid.maxSizeX),
    // visualizations 1.1: below 0 it is as high as its content.
    sizeY: z.union([size(grid.maxSizeY), z.int().min(-grid.maxSizeY).max(-1)]),
    autoHeight: z.boolean(),
    minSizeX: size(grid.maxSizeX),
    maxSizeX: size(grid.maxSizeX),
    minSizeY: size(grid.maxSizeY),
    maxSizeY: size(grid.maxSizeY),
  })
  .partial();
export type Position = z.infer<typeof Position>;
export type FullPosition = Required<Position>;

export interface Size {
  sizeX: number;
  sizeY: number;
}

/** The position of a widget from any stored one: inside the columns and within the size limits. */
export function positionOf(kept: Position | undefined, initial: Partial<Size> = {}): FullPosition {
  const limits = {
    minSizeX: kept?.minSizeX ?? grid.minSizeX,
    maxSizeX: kept?.maxSizeX ?? grid.maxSizeX,
    minSizeY: kept?.minSizeY ?? grid.minSizeY,
    maxSizeY: kept?.maxSizeY ?? grid.maxSizeY,
  };
  const sizeX = within(kept?.sizeX ?? initial.sizeX ?? grid.defaultSizeX, limits.minSizeX, limits.maxSizeX);
  const isAsHighAsContent = (kept?.sizeY ?? 0) < 0;
  const height = isAsHighAsContent ? undefined : kept?.sizeY;
  const sizeY = within(height ?? initial.sizeY ?? grid.defaultSizeY, limits.minSizeY, limits.maxSizeY);
  const col = within(kept?.col ?? 0, 0, grid.columns - sizeX);
  return { ...limits, col, row: kept?.row ?? 0, sizeX, sizeY, autoHeight: isAsHighAsContent || (kept?.autoHeight ?? false) };
}

const within = (value: number, least: number, most: number) => Math.max(least, Math.min(value, Math.max(least, most)));

export type Placed = Pick<FullPosition, 'col' | 'row' | 'sizeX' | 'sizeY'>;

/** screens 9.3: the leftmost wide enough place with the smallest top, below all widgets there. */
export function placeBelow(standing: readonly Placed[], { sizeX }: Pick<Size, 'sizeX'>): { col: number; row: number } {
  const bottoms = Array.from({ length: grid.columns }, (_, col) =>
    Math.max(0, ...standing.filter((item) => item.col <= col && col < item.col + item.sizeX).map((item) => item.row + item.sizeY)),
  );
  const width = within(sizeX, 1, grid.columns);
  const places = Array.from({ length: grid.columns - width + 1 }, (_, col) => ({ col, row: Math.max(...bottoms.slice(col, col + width)) }));
  return places.reduce((best, place) => (place.row < best.row ? place : best));
}

/** Only changed positions are saved, so that two editors who move different widgets do not conflict (W19). */
export const isSamePosition = (one: FullPosition, other: FullPosition): boolean =>
  (['col', 'row', 'sizeX', 'sizeY', 'autoHeight'] as const).every((key) => one[key] === other[key]);
