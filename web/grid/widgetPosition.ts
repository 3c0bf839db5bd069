import { type FullPosition, grid, positionOf } from '@telltale/domain/dashboards/grid.ts';
import type { WidgetOptions } from '@telltale/domain/dashboards/options.ts';
import { findVisualization } from '../visualizations/index.ts';

/** The parts of a widget that decide its place. */
interface PlacedWidget {
  options: WidgetOptions;
  visualization?: { type: string } | undefined;
}

/** visualizations 1.1: the kind decides the initial size of a widget. Texts are as high as their content. */
export function firstSize(type: string | undefined): Partial<FullPosition> {
  if (type === undefined) return { autoHeight: true };
  const size = findVisualization(type)?.size;
  if (!size) return {};
  const { width, height, minWidth, minHeight, autoHeight = false } = size;
  return { sizeX: width, sizeY: height, minSizeX: minWidth, minSizeY: minHeight, autoHeight };
}

export const liveType = 'LIVE_UPLINK';

/** The kind of its picture, live ones included; undefined for a text box, and for a restricted widget. */
export const typeOfWidget = ({ visualization, options }: PlacedWidget): string | undefined =>
  visualization?.type ?? (options.live ? liveType : undefined);

/** visualizations 1.1: the smallest and largest size follow from the kind, whatever limits were stored with the position. */
export function positionOfWidget(widget: PlacedWidget): FullPosition {
  const first = firstSize(typeOfWidget(widget));
  const { minSizeX = grid.minSizeX, minSizeY = grid.minSizeY } = first;
  const limits = { minSizeX, minSizeY, maxSizeX: grid.maxSizeX, maxSizeY: grid.maxSizeY };
  return positionOf({ ...first, ...widget.options.position, ...limits }, first);
}
