import { figureText } from '../../ui/figureText.ts';

/** A watched value as text for people; the title has the whole of a long one. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'number') return figureText(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
