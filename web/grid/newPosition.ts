import { type FullPosition, placeBelow, positionOf } from '@telltale/domain/dashboards/grid.ts';
import { firstSize } from './widgetPosition.ts';

/** Screens 9.3: the position of a new widget; without a kind of visualization it is a text box. */
export function newPosition(positions: ReadonlyMap<number, FullPosition>, type: string | undefined): FullPosition {
  const { sizeX, sizeY, ...rest } = firstSize(type);
  const size = positionOf(rest, { ...(sizeX !== undefined && { sizeX }), ...(sizeY !== undefined && { sizeY }) });
  return { ...size, ...placeBelow([...positions.values()], size) };
}
