import type { ChartModel } from './model/arrange.ts';
import { extentOf } from './model/ranges.ts';
import type { Texts } from './model/texts.ts';

const mostSeries = 5;

/** A description of the lines and bars, for screen readers. */
export function described({ series, x }: ChartModel, texts: Texts, isMomentX: boolean): string {
  if (series.length === 0) return 'Empty chart.';
  const parts = series.slice(0, mostSeries).map(({ name, value, x: places }) => {
    const range = extentOf(value);
    if (!range) return `${name}: no values.`;
    const at = (wanted: number) => texts.place(places[value.indexOf(wanted)] ?? 0, x, isMomentX);
    const count = `${value.length.toLocaleString('en')} ${value.length === 1 ? 'point' : 'points'}`;
    return `${name}: ${count}, lowest ${texts.number(range[0])} at ${at(range[0])}, highest ${texts.number(range[1])} at ${at(range[1])}.`;
  });
  const more = series.length > mostSeries ? [`And ${series.length - mostSeries} more series.`] : [];
  return [...parts, ...more].join(' ');
}
