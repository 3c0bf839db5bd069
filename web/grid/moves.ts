import { grid } from '@telltale/domain/dashboards/grid.ts';
import { type Layout, type LayoutItem, moveElement, verticalCompactor } from 'react-grid-layout';
import type { Step } from './nudge.ts';

/** The grid of D9, as options of the library. */
export const gridConfig = {
  cols: grid.columns,
  rowHeight: grid.rowPitch - grid.gap,
  margin: [grid.gap, grid.gap] as [number, number],
  containerPadding: [0, 0] as [number, number],
};

/** An arrow key moves an item one place further, or makes it one larger or smaller. */
export function nudged(layout: Layout, item: LayoutItem, { x = 0, y = 0, w = 0, h = 0 }: Step): Layout {
  if (w !== 0 || h !== 0) return resizedTo(layout, item, item.w + w, item.h + h);
  return movedTo(layout, item, item.x + x, y < 0 ? above(layout, item) : item.y + y);
}

/** The new place as text, for screen readers. */
export const placeText = (title: string, { x, y, w, h }: LayoutItem): string =>
  `${title}: column ${x + 1}, row ${y + 1}, ${w} wide, ${h} high.`;

/** The whole layout with one item at another place; what stood there makes room. */
export function movedTo(layout: Layout, item: LayoutItem, x: number, y: number): Layout {
  const copy = layout.map((one) => ({ ...one }));
  const own = copy.find(({ i }) => i === item.i);
  if (!own) return layout;
  const to = { x: within(x, 0, grid.columns - item.w), y: Math.max(0, y) };
  return verticalCompactor.compact(moveElement(copy, own, to.x, to.y, true, false, 'vertical', grid.columns), grid.columns);
}

/** One row up would fall back to the same place, so up means above the widgets there. */
function above(layout: Layout, item: LayoutItem): number {
  const over = layout.filter(({ i, x, y, w, h }) => i !== item.i && x < item.x + item.w && item.x < x + w && y + h <= item.y);
  return over.length === 0 ? item.y - 1 : Math.max(...over.map(({ y }) => y));
}

/** The whole layout with one item in another size, within the limits of the item. */
export function resizedTo(layout: Layout, item: LayoutItem, w: number, h: number): Layout {
  const width = within(w, item.minW ?? 1, Math.min(item.maxW ?? grid.columns, grid.columns - item.x));
  const height = within(h, item.minH ?? 1, item.maxH ?? grid.maxSizeY);
  const copy = layout.map((one) => (one.i === item.i ? { ...one, w: width, h: height } : { ...one }));
  return verticalCompactor.compact(copy, grid.columns);
}

const within = (value: number, least: number, most: number) => Math.max(least, Math.min(value, most));
