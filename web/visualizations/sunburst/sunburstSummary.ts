import { percentText, type SunburstModel } from './sunburstModel.ts';

const mostNamed = 3;

export function sunburstSummary({ nodes, total }: SunburstModel): string {
  if (nodes.length === 0) return 'Sunburst without sequences.';
  const first = nodes
    .toSorted((a, b) => b.value - a.value)
    .slice(0, mostNamed)
    .map(({ name, value }) => `${name.slice(0, 60)} (${percentText(value, total)})`);
  return `Sunburst of sequences with a total of ${total.toLocaleString('en')}, beginning with ${first.join(', ')}${nodes.length > mostNamed ? ` and ${nodes.length - mostNamed} more` : ''}.`;
}
