import type { ThemeName } from '../../theme/tokens.ts';
import { colors as themeColors } from '../../theme/tokens.ts';
import { mixed, textOn } from '../echarts/chartColors.ts';
import { type CohortOptions, usualColors } from './cohortOptions.ts';

export interface Shade {
  background: string;
  color: string;
}

/** From min to max. What nobody has chosen follows the page: white would blind in the dark, and navy would not be seen. */
export function cohortShades({ min, max, steps }: CohortOptions['colors'], theme: ThemeName): Shade[] {
  const isUsual = (color: string, usual: string) => theme === 'dark' && color.toUpperCase() === usual.toUpperCase();
  const from = isUsual(min, usualColors.min) ? themeColors.surface.dark : min;
  const to = isUsual(max, usualColors.max) ? '#799CFF' : max;
  return Array.from({ length: steps }, (_, at) => {
    const background = mixed(from, to, at / (steps - 1));
    return { background, color: textOn(background) };
  });
}
