import { figuresOf, type SeriesFigures } from '@telltale/domain/visualizations/figures.ts';
import type { ChartBase } from './base.ts';

/** What texts of a chart need to know of all of its values. */
export interface SeriesTold {
  /** By the key of the series. */
  figures: ReadonlyMap<string, SeriesFigures>;
  /** Some moment along x is not a whole minute. */
  hasSeconds: boolean;
}

export const nothingTold: SeriesTold = { figures: new Map(), hasSeconds: false };

export function toldOf({ x, series }: Pick<ChartBase, 'x' | 'series'>): SeriesTold {
  const figures = new Map<string, SeriesFigures>();
  for (const one of series) {
    const found = figuresOf(one.y);
    if (found) figures.set(one.key, found);
  }
  return { figures, hasSeconds: x.type === 'time' && series.some((one) => one.x.some((at) => at % 60_000 !== 0)) };
}
