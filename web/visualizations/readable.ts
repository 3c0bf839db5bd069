import { luminance, mixed } from './echarts/chartColors.ts';

/** look.md: marks have a contrast of at least 3. */
const least = 3;

/** The colour itself, or darkened or lightened until it is visible on this background. */
export function readable(color: string, ground: string, contrast = least): string {
  const target = luminance(ground) > 0.4 ? '#000000' : '#ffffff';
  for (let part = 0; part < 1; part += 0.08) {
    const tried = part === 0 ? color : mixed(color, target, part);
    if (contrastOf(tried, ground) >= contrast) return tried;
  }
  return target;
}

function contrastOf(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}
