import { fontFamily } from '../../theme/tokens.ts';

const fonts = { cell: `13px ${fontFamily}`, header: `500 12px ${fontFamily}` };
const estimated = 7.2;

let canvas: CanvasRenderingContext2D | null | undefined;

/** The width of a line of text in pixels; an estimate without a canvas. */
export function textWidth(text: string, font: keyof typeof fonts = 'cell'): number {
  canvas ??= typeof document === 'undefined' ? null : document.createElement('canvas').getContext('2d');
  if (!canvas) return text.length * estimated;
  canvas.font = fonts[font];
  return canvas.measureText(text).width;
}

/** The widest letter is about as wide as it is high: shorter text always fits, so most text is never measured. */
export const isWiderThan = (text: string, width: number): boolean =>
  text.length * 14 > width && (text.length * 2.5 > width || textWidth(text) > width);
