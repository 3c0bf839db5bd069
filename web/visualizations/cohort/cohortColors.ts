import type { ThemeName } from '../../theme/tokens.ts';
import { colors as themeColors } from '../../theme/tokens.ts';
import { mixed, textOn } from '../echarts/chartColors.ts';
import { type CohortOptions, usualColors } from './cohortOptions.ts';

export interface Shade {
  background: string;
  color: string;
}

/** The shades from min to max. Default colours follow the theme: white would be too bright in the dark, and navy invisible. */
export function cohortShades({ min, max, steps }: CohortOptions['colors'], theme: ThemeName): Shade[] {
  const isUsual = (color: string, usual: string) => theme === 'dark' && color.toUpperCase() === usual.toUpperCase();
  const from = isUsual(min, usualColors.min) ? themeColors.surface.dark : min;
  const to = isUsual(max, usualColors.max) ? '#799CFF' : max;
  return Array.from({ length: steps }, (_, at) => {
    const background = mixed(from, to, at / (steps - 1));
    return { background, color: textOn(background) };
  });
}
