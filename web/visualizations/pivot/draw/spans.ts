import type { Key } from '../data/pivotData.ts';

export interface Span {
  text: string;
  /** The number of groups below it. */
  length: number;
  /** The first of these groups. */
  at: number;
}

/** The spans of each level: neighbours with the same beginning share a heading. */
export function spansOf(keys: readonly Key[], levels: number): Span[][] {
  return Array.from({ length: levels }, (_, level) => {
    const spans: Span[] = [];
    keys.forEach((key, at) => {
      const last = spans.at(-1);
      const isSame = last !== undefined && key.slice(0, level + 1).every((text, place) => text === keys[last.at]?.[place]);
      if (isSame) last.length += 1;
      else spans.push({ text: key[level] ?? '', length: 1, at });
    });
    return spans;
  });
}
