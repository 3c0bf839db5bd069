import { type ThemeName, colors as tokens } from '../../theme/tokens.ts';
import { type ChoroplethOptions, defaultColors } from './choroplethOptions.ts';

type Colors = ChoroplethOptions['colors'];

const isDefault = (colors: Colors, name: keyof typeof defaultColors) => colors[name].toLowerCase() === defaultColors[name].toLowerCase();

/** Default colours follow the theme: in the dark, high values are bright. */
export function themeColors(colors: Colors, theme: ThemeName): Colors {
  if (theme === 'light') return colors;
  const hasOwnRamp = !isDefault(colors, 'min') || !isDefault(colors, 'max');
  return {
    ...colors,
    ...(hasOwnRamp ? {} : { min: '#2A4A94', max: '#A9C0FF' }),
    ...(isDefault(colors, 'background') && { background: tokens.paper.dark }),
    ...(isDefault(colors, 'borders') && { borders: tokens.paper.dark }),
    ...(isDefault(colors, 'noValue') && { noValue: tokens.line.dark }),
  };
}
