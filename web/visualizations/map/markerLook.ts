import { textOn } from '../echarts/chartColors.ts';
import { glyphOf } from './glyphs.ts';
import { hasGround, hasIcon, type MapOptions } from './mapOptions.ts';

/** The look of a marker: an SVG of our own, the anchor of its foot, and the place of its popup. */
export interface MarkerLook {
  svg: string;
  size: [width: number, height: number];
  anchor: [x: number, y: number];
}

const pinPath = 'M12.5 1C6 1 1 6 1 12.5c0 8 11.5 24 11.5 24S24 20.5 24 12.5C24 6 19 1 12.5 1z';
/** The standard pin (visualizations 11), in the blue of the palette. */
const standard = { ground: '#356AFF', border: '#ffffff' };

/** Colours come from stored options: only valid colours get into the drawing. */
export function safeColor(color: string, fallback: string): string {
  return /^(#[\da-f]{3,8}|[a-z]{3,30}|rgba?\([\d\s.,%]+\)|hsla?\([\d\s.,%deg]+\))$/i.test(color.trim()) ? color.trim() : fallback;
}

const drawing = (width: number, height: number, inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" aria-hidden="true">${inside}</svg>`;

export function pinLook(): MarkerLook {
  const inside = `<path d="${pinPath}" fill="${standard.ground}" stroke="${standard.border}" stroke-width="1.5"/><circle cx="12.5" cy="12.5" r="4.5" fill="#fff"/>`;
  return { svg: drawing(25, 38, inside), size: [25, 38], anchor: [12.5, 37] };
}

/** The look of a marker in a group. */
export function circleLook(color: string): MarkerLook {
  const fill = safeColor(color, '#1f77b4');
  return {
    svg: drawing(18, 18, `<circle cx="9" cy="9" r="7" fill="${fill}" stroke="#fff" stroke-width="2"/>`),
    size: [18, 18],
    anchor: [9, 9],
  };
}

type Custom = Pick<MapOptions, 'iconShape' | 'iconFont' | 'foregroundColor' | 'backgroundColor' | 'borderColor'>;

/** visualizations 11: "Override default style". */
export function customLook({ iconShape, iconFont, foregroundColor, backgroundColor, borderColor }: Custom): MarkerLook {
  const ink = safeColor(foregroundColor, '#ffffff');
  const ground = safeColor(backgroundColor, '#356AFF');
  const border = safeColor(borderColor, '#356AFF');
  const glyph = (x: number, y: number) =>
    hasIcon(iconShape) ? `<path transform="translate(${x} ${y})" d="${glyphOf(iconFont)}" fill="${ink}" fill-rule="evenodd"/>` : '';
  if (iconShape === 'marker') {
    const inside = `<path transform="translate(1 0)" d="M13 1C6.5 1 1 6.5 1 13c0 8.5 12 25 12 25s12-16.5 12-25C25 6.5 19.5 1 13 1z" fill="${ground}" stroke="${border}" stroke-width="2"/>${glyph(6, 5)}`;
    return { svg: drawing(28, 40, inside), size: [28, 40], anchor: [14, 38] };
  }
  const isSquare = iconShape.startsWith('rectangle');
  const shape = (size: number, stroke: number, fill: string) =>
    isSquare
      ? `<rect x="${stroke / 2}" y="${stroke / 2}" width="${size - stroke}" height="${size - stroke}" rx="2" fill="${fill}" stroke="${border}" stroke-width="${stroke}"/>`
      : `<circle cx="${size / 2}" cy="${size / 2}" r="${(size - stroke) / 2}" fill="${fill}" stroke="${border}" stroke-width="${stroke}"/>`;
  if (!hasGround(iconShape)) return { svg: drawing(12, 12, shape(12, 2, border)), size: [12, 12], anchor: [6, 6] };
  if (iconShape === 'doughnut') return { svg: drawing(18, 18, shape(18, 4, ground)), size: [18, 18], anchor: [9, 9] };
  return { svg: drawing(28, 28, `${shape(28, 2, ground)}${glyph(6, 6)}`), size: [28, 28], anchor: [14, 14] };
}

/** visualizations 11: a bubble of 40 px in the colour of the group, with the number of its markers. */
export function clusterLook(count: number, color: string): MarkerLook {
  const fill = safeColor(color, '#356AFF');
  const text = count < 1000 ? String(count) : count < 1_000_000 ? `${Math.floor(count / 1000)}k` : `${Math.floor(count / 1_000_000)}M`;
  const inside = `<circle cx="20" cy="20" r="19" fill="${fill}" fill-opacity=".3"/><circle cx="20" cy="20" r="15" fill="${fill}"/><text x="20" y="24.5" text-anchor="middle" font-size="12" font-weight="600" fill="${textOn(fill)}">${text}</text>`;
  return { svg: drawing(40, 40, inside), size: [40, 40], anchor: [20, 20] };
}
