/** Browsers draw nothing taller than some 17 to 33 million pixels: a taller list is scrolled on a shorter scale. */
export const tallest = 8_000_000;

export interface Extent {
  rowCount: number;
  rowHeight: number;
  /** Height of the window onto the rows. */
  height: number;
}

export interface ScrollPlace {
  /** The position of the browser's scroll bar. */
  bar: number;
  /** The pixel of the list at the top of the window. */
  top: number;
  /** A large step is under way; the following steps are small again. */
  isJump: boolean;
}

export const contentHeight = ({ rowCount, rowHeight }: Extent): number => rowCount * rowHeight;
export const barHeight = (extent: Extent): number => Math.min(tallest, contentHeight(extent));

const lastTop = (extent: Extent) => Math.max(0, contentHeight(extent) - extent.height);
const lastBar = (extent: Extent) => Math.max(0, barHeight(extent) - extent.height);

/**
 * The place after the bar was moved. A small step moves the list by the same pixels, so a wheel or an arrow never skips a row; a large one
 * goes to the same part of the whole. Before an end the bar is moved back, so that there is always room to go on.
 */
export function scrolled(before: ScrollPlace, bar: number, extent: Extent): ScrollPlace {
  const [barEnd, topEnd] = [lastBar(extent), lastTop(extent)];
  if (barEnd === topEnd) return { bar, top: Math.min(bar, topEnd), isJump: false };
  const step = bar - before.bar;
  const isLarge = Math.abs(step) >= extent.height;
  const isJump = isLarge || before.isJump;
  const top = isLarge ? (bar / barEnd) * topEnd : clamp(before.top + step, topEnd);
  if (bar > 0 && bar < barEnd) return { bar, top, isJump };
  // A jump to the end arrives there; small steps go on as small steps.
  return isJump ? { bar, top: bar <= 0 ? 0 : topEnd, isJump } : settled(top, extent);
}

/** The position of the bar for this part of the list. */
export function settled(top: number, extent: Extent): ScrollPlace {
  const [barEnd, topEnd] = [lastBar(extent), lastTop(extent)];
  const place = clamp(top, topEnd);
  return { top: place, bar: topEnd === 0 ? 0 : barEnd === topEnd ? place : (place / topEnd) * barEnd, isJump: false };
}

const clamp = (value: number, most: number): number => Math.min(Math.max(0, value), most);

export interface RowWindow {
  first: number;
  count: number;
  /** The number of pixels by which the first row is above the window. */
  shift: number;
}

export function rowWindow(top: number, { rowCount, rowHeight, height }: Extent): RowWindow {
  const first = Math.min(Math.floor(top / rowHeight), Math.max(0, rowCount - 1));
  const count = Math.min(rowCount - first, Math.ceil(height / rowHeight) + 1);
  return { first, count: Math.max(0, count), shift: top - first * rowHeight };
}
