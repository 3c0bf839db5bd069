import { colors, series, type ThemeName } from '../../theme/tokens.ts';

/** The colours of a picture on a canvas, which knows no CSS variables. */
export interface ChartColors {
  ink: string;
  muted: string;
  /** The background. */
  paper: string;
  surface: string;
  raised: string;
  /** Hairlines. */
  line: string;
  edge: string;
  primary: string;
  ok: string;
  warning: string;
  danger: string;
  info: string;
  /** Told apart by people who see red and green alike. */
  series: readonly string[];
}

export const chartColors = (theme: ThemeName): ChartColors => ({
  ink: colors.ink[theme],
  muted: colors.muted[theme],
  paper: colors.paper[theme],
  surface: colors.surface[theme],
  raised: colors.raised[theme],
  line: colors.line[theme],
  edge: colors.edge[theme],
  primary: colors.primary[theme],
  ok: colors.ok[theme],
  warning: colors.warning[theme],
  danger: colors.danger[theme],
  info: colors.info[theme],
  series: series[theme],
});

/** visualizations 2.8: text on a colour is white or dark, whichever is more readable. */
export function textOn(color: string): '#ffffff' | '#333333' {
  const light = luminance(color);
  return 1.05 / (light + 0.05) >= (light + 0.05) / (luminance('#333333') + 0.05) ? '#ffffff' : '#333333';
}

/** The perceived brightness of a colour, from 0 to 1. */
export function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The channels of `#rgb`, `#rrggbb` or `rgb(…)`; white for any other text. */
export function channels(color: string): [red: number, green: number, blue: number] {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(color);
  const long = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})/i.exec(color);
  const listed = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)/i.exec(color);
  const [, red = 'ff', green = 'ff', blue = 'ff'] = short?.map((digit, at) => (at > 0 ? digit + digit : digit)) ?? long ?? [];
  if (listed) return [Number(listed[1]), Number(listed[2]), Number(listed[3])];
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

/** A mixture of two colours, `part` from 0 to 1. */
export function mixed(from: string, to: string, part: number): string {
  const end = channels(to);
  const parts = channels(from).map((value, at) => Math.round(value + ((end[at] ?? 0) - value) * part));
  return `#${parts.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
