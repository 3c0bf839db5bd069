import { grid } from '@telltale/domain/dashboards/grid.ts';
import { type Layout, type LayoutItem, moveElement, verticalCompactor } from 'react-grid-layout';
import type { Step } from './nudge.ts';

/** D9, in the words of the library. */
export const gridConfig = {
  cols: grid.columns,
  rowHeight: grid.rowPitch - grid.gap,
  margin: [grid.gap, grid.gap] as [number, number],
  containerPadding: [0, 0] as [number, number],
};

/** What an arrow key does: one place further, or one larger or smaller. */
export function nudged(layout: Layout, item: LayoutItem, { x = 0, y = 0, w = 0, h = 0 }: Step): Layout {
  return w !== 0 || h !== 0 ? resized(layout, item, w, h) : moved(layout, item, x, y);
}

/** For those who do not see it move. */
export const placeText = (title: string, { x, y, w, h }: LayoutItem): string =>
  `${title}: column ${x + 1}, row ${y + 1}, ${w} wide, ${h} high.`;

function moved(layout: Layout, item: LayoutItem, x: number, y: number): Layout {
  const copy = layout.map((one) => ({ ...one }));
  const own = copy.find(({ i }) => i === item.i);
  if (!own) return layout;
  const to = { x: within(item.x + x, 0, grid.columns - item.w), y: Math.max(0, y < 0 ? above(layout, item) : item.y + y) };
  return verticalCompactor.compact(moveElement(copy, own, to.x, to.y, true, false, 'vertical', grid.columns), grid.columns);
}

/** One row up would fall back to where it was: up means above what stands there. */
function above(layout: Layout, item: LayoutItem): number {
  const over = layout.filter(({ i, x, y, w, h }) => i !== item.i && x < item.x + item.w && item.x < x + w && y + h <= item.y);
  return over.length === 0 ? item.y - 1 : Math.max(...over.map(({ y }) => y));
}

function resized(layout: Layout, item: LayoutItem, w: number, h: number): Layout {
  const width = within(item.w + w, item.minW ?? 1, Math.min(item.maxW ?? grid.columns, grid.columns - item.x));
  const height = within(item.h + h, item.minH ?? 1, item.maxH ?? grid.maxSizeY);
  const copy = layout.map((one) => (one.i === item.i ? { ...one, w: width, h: height } : { ...one }));
  return verticalCompactor.compact(copy, grid.columns);
}

const within = (value: number, least: number, most: number) => Math.max(least, Math.min(value, most));
