/** Browsers draw nothing taller than some 17 to 33 million pixels: a taller list is scrolled on a shorter scale. */
export const tallest = 8_000_000;

export interface Extent {
  rowCount: number;
  rowHeight: number;
  /** Height of the window onto the rows. */
  height: number;
}

export interface ScrollPlace {
  /** Where the browser's scroll bar is. */
  bar: number;
  /** The pixel of the list at the top of the window. */
  top: number;
  /** A large step is under way; its last steps are small again. */
  isJump: boolean;
}

export const contentHeight = ({ rowCount, rowHeight }: Extent): number => rowCount * rowHeight;
export const barHeight = (extent: Extent): number => Math.min(tallest, contentHeight(extent));

const lastTop = (extent: Extent) => Math.max(0, contentHeight(extent) - extent.height);
const lastBar = (extent: Extent) => Math.max(0, barHeight(extent) - extent.height);

/**
 * Where the bar has been moved to. A small step moves the list by the same pixels, so a wheel or an arrow never skips a row; a large
 * one goes to the same part of the whole. Ahead of an end the bar gives way, so that there is always room to go on.
 */
export function scrolled(before: ScrollPlace, bar: number, extent: Extent): ScrollPlace {
  const [barEnd, topEnd] = [lastBar(extent), lastTop(extent)];
  if (barEnd === topEnd) return { bar, top: Math.min(bar, topEnd), isJump: false };
  const step = bar - before.bar;
  const isLarge = Math.abs(step) >= extent.height;
  const isJump = isLarge || before.isJump;
  const top = isLarge ? (bar / barEnd) * topEnd : clamp(before.top + step, topEnd);
  if (bar > 0 && bar < barEnd) return { bar, top, isJump };
  // Who went for the end gets there; who came by steps goes on by steps.
  return isJump ? { bar, top: bar <= 0 ? 0 : topEnd, isJump } : settled(top, extent);
}

/** The bar where it belongs for this part of the list. */
export function settled(top: number, extent: Extent): ScrollPlace {
  const [barEnd, topEnd] = [lastBar(extent), lastTop(extent)];
  const place = clamp(top, topEnd);
  return { top: place, bar: topEnd === 0 ? 0 : barEnd === topEnd ? place : (place / topEnd) * barEnd, isJump: false };
}

const clamp = (value: number, most: number): number => Math.min(Math.max(0, value), most);

export interface RowWindow {
  first: number;
  count: number;
  /** By how many pixels the first row is above the window. */
  shift: number;
}

export function rowWindow(top: number, { rowCount, rowHeight, height }: Extent): RowWindow {
  const first = Math.min(Math.floor(top / rowHeight), Math.max(0, rowCount - 1));
  const count = Math.min(rowCount - first, Math.ceil(height / rowHeight) + 1);
  return { first, count: Math.max(0, count), shift: top - first * rowHeight };
}
