import { countOf } from '../map/mapNotes.ts';
import type { BoxplotModel } from './boxplotModel.ts';

const mostNamed = 5;

export function boxplotSummary({ boxes }: BoxplotModel): string {
  if (boxes.length === 0) return 'Boxplot without values.';
  const named = boxes.slice(0, mostNamed).map(({ name, five }) => `${name.slice(0, 60)} median ${Number(five[2].toPrecision(4))}`);
  const more = boxes.length > mostNamed ? ` and ${boxes.length - mostNamed} more` : '';
  return `Boxplot of ${countOf(boxes.length, 'column', 'columns')}: ${named.join(', ')}${more}.`;
}
