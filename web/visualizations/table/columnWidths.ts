/** The width that a column needs, and its initial limit. */
export interface WantedWidth {
  wanted: number;
  /** The width to which it may be cut when there is no room. */
  cap: number;
  /** The same, where the table is wider than its room in any case. */
  wideCap?: number;
}

export const narrowest = 56;

/** Every column gets up to its cap; the remaining room goes to those that were cut, the narrowest first. */
export function fitWidths(columns: readonly WantedWidth[], room: number): number[] {
  const widths = columns.map(({ wanted, cap }) => Math.max(narrowest, Math.min(wanted, cap)));
  let left = room - widths.reduce((sum, width) => sum + width, 0);
  if (left < 0)
    return columns.map(({ wanted, cap, wideCap = cap }) => Math.max(narrowest, Math.min(wanted, Math.max(cap, Math.min(wideCap, room)))));
  const cut = columns
    .map(({ wanted }, at) => ({ at, missing: wanted - (widths[at] ?? 0) }))
    .filter(({ missing }) => missing > 0)
    .sort((a, b) => a.missing - b.missing);
  for (const [done, { at, missing }] of cut.entries()) {
    if (left <= 0) break;
    const more = Math.min(missing, Math.floor(left / (cut.length - done)));
    widths[at] = (widths[at] ?? 0) + more;
    left -= more;
  }
  return widths;
}

export interface ColumnWindow {
  first: number;
  end: number;
}

/** The columns that are visible between two pixels, and some beside them. */
export function columnWindow(widths: readonly number[], left: number, width: number, beside: number): ColumnWindow {
  let first = 0;
  let at = 0;
  while (first < widths.length && at + (widths[first] ?? 0) <= left) {
    at += widths[first] ?? 0;
    first += 1;
  }
  let end = first;
  while (end < widths.length && at < left + width) {
    at += widths[end] ?? 0;
    end += 1;
  }
  return { first: Math.max(0, first - beside), end: Math.min(widths.length, end + beside) };
}

/** A sample of the rows: the first ones, then some spread over the rest. */
export function sampled<T>(rows: readonly T[], most: number): T[] {
  if (rows.length <= most) return [...rows];
  const head = rows.slice(0, most / 2);
  const step = (rows.length - head.length) / (most / 2);
  const rest = Array.from({ length: most / 2 }, (_, at) => rows[Math.floor(head.length + at * step)]);
  return [...head, ...rest.filter((row) => row !== undefined)];
}
