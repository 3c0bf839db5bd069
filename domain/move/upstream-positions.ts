import { z } from 'zod';
import { grid } from '../dashboards/grid.ts';

/** A position as an upstream installation stores it; its limits are left out, because they follow from the kind (visualizations 1.1). */
export const StoredPosition = z.object({ col: z.int(), row: z.int(), sizeX: z.int(), sizeY: z.int(), autoHeight: z.boolean() }).partial();
type StoredPosition = z.infer<typeof StoredPosition>;

/**
 * visualizations 1.1: the positions of one dashboard in six columns. A widget beyond the sixth column shows that the dashboard has twelve,
 * as newer versions do.
 */
export function ownPositions(positions: readonly (StoredPosition | undefined)[]): (StoredPosition | undefined)[] {
  const hasTwelveColumns = positions.some((position) => (position?.col ?? 0) + (position?.sizeX ?? 0) > grid.columns);
  return positions.map((position) => position && withAutoHeight(hasTwelveColumns ? halved(position) : position));
}

/** Edges are halved, not widths, so that neighbours with an odd edge between them do not overlap. */
function halved({ col = 0, sizeX, ...rest }: StoredPosition): StoredPosition {
  const left = Math.min(Math.round(col / 2), grid.columns - 1);
  if (sizeX === undefined) return { ...rest, col: left };
  return { ...rest, col: left, sizeX: Math.max(1, Math.round((col + sizeX) / 2) - left) };
}

/** A negative height means that the widget is as high as its content. */
function withAutoHeight({ sizeY, ...rest }: StoredPosition): StoredPosition {
  if (sizeY === undefined) return rest;
  return sizeY < 0 ? { ...rest, autoHeight: true } : { ...rest, sizeY };
}
