import { countOf } from '../map/mapNotes.ts';
import type { SankeyModel } from './sankeyModel.ts';

const mostNamed = 3;

export function sankeySummary({ nodes, links, stages }: SankeyModel): string {
  if (links.length === 0) return 'Sankey diagram without flows.';
  const names = new Map(nodes.map(({ key, name }) => [key, name]));
  const largest = links
    .toSorted((a, b) => b.value - a.value)
    .slice(0, mostNamed)
    .map(({ source, target, value }) => `${short(names.get(source))} to ${short(names.get(target))} (${value.toLocaleString('en')})`);
  return `Sankey diagram of ${countOf(links.length, 'flow', 'flows')} through ${stages.length} stages, the largest ${largest.join(', ')}.`;
}

const short = (name = ''): string => name.slice(0, 60);
