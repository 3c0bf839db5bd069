import { type FullPosition, placeBelow, positionOf } from '@telltale/domain/dashboards/grid.ts';
import { firstSize } from '../shownWidget.ts';
import type { Positions } from './layout.ts';

/** Screens 9.3: where a new widget goes; a text box where there is no kind of visualization. */
export function newPosition(positions: Positions, type: string | undefined): FullPosition {
  const { sizeX, sizeY, ...rest } = firstSize(type);
  const size = positionOf(rest, { ...(sizeX !== undefined && { sizeX }), ...(sizeY !== undefined && { sizeY }) });
  return { ...size, ...placeBelow([...positions.values()], size) };
}
