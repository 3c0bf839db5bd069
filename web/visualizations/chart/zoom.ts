import type { Range } from './model/ranges.ts';

/** The range zoomed around a point of it (0 to 1); null when it covers everything again. */
export function zoomed(range: Range, whole: Range, factor: number, around = 0.5, isWhole = false): Range | null {
  const span = (range[1] - range[0]) * factor;
  const middle = range[0] + (range[1] - range[0]) * around;
  return within([middle - span * around, middle + span * (1 - around)], whole, isWhole);
}

/** The range moved by a part of its span, not beyond the ends. */
export function panned(range: Range, whole: Range, part: number, isWhole = false): Range | null {
  const span = range[1] - range[0];
  const from = Math.min(Math.max(range[0] + span * part, whole[0]), whole[1] - span);
  return within([from, from + span], whole, isWhole);
}

/** `isWhole` for categories, of which at least one stays visible. */
export function within([low, high]: Range, whole: Range, isWhole = false): Range | null {
  let [from, to] = [Math.max(Math.min(low, high), whole[0]), Math.min(Math.max(low, high), whole[1])];
  if (isWhole) [from, to] = [Math.round(from), Math.round(to)];
  if (from <= whole[0] && to >= whole[1]) return null;
  // A window narrower than the precision of a double is invalid.
  const least = isWhole ? 0 : Math.max(Math.abs(from), Math.abs(to)) * 1e-13;
  return to - from > least || isWhole ? [from, to] : null;
}
