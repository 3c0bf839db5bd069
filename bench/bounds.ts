import { readFileSync } from 'node:fs';
import { type Figure, isRate, ratioOf } from './report.ts';

/** Other work on the machine changes ratios by some percent; a ratio that is worse by more than this comes from a change of the code. */
const tolerance = 1.3;

/** By processor, because each is good at other things. One that was not measured yet has twice the bounds of the one that was. */
const measured = JSON.parse(readFileSync(new URL('./bounds.json', import.meta.url), 'utf8')) as Record<string, Record<string, number>>;

/** One line for each figure whose ratio to its reference is worse than the stored one by more than 30 %. */
export function worseThanBounds(name: string, figures: readonly Figure[], processor: string = process.arch): string[] {
  const bounds = measured[processor] ?? measured.other;
  return figures.flatMap((figure) => {
    const [ratio, bound] = [ratioOf(figure), bounds?.[`${name}: ${figure.what}`]];
    if (ratio === undefined || bound === undefined) return [];
    const isWorse = isRate(figure) ? ratio < bound / tolerance : ratio > bound * tolerance;
    return isWorse ? [`${name}: ${figure.what}: ratio ${ratio.toFixed(2)}, bound ${bound}`] : [];
  });
}
