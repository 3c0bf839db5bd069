import { battery } from './battery/index.ts';
import { boxplot } from './boxplot/index.ts';
import { chart } from './chart/index.ts';
import { choropleth } from './choropleth/index.ts';
import { cohort } from './cohort/index.ts';
import { counter } from './counter/index.ts';
import type { VisualizationKind } from './define.ts';
import { details } from './details/index.ts';
import { funnel } from './funnel/index.ts';
import { liveUplink } from './live-uplink/index.ts';
import { map } from './map/index.ts';
import { pivot } from './pivot/index.ts';
import { sankey } from './sankey/index.ts';
import { sunburst } from './sunburst/index.ts';
import { table } from './table/index.ts';
import { wordCloud } from './word-cloud/index.ts';

/** Every kind, one line each. */
export const visualizations: readonly VisualizationKind[] = [
  battery,
  boxplot,
  chart,
  choropleth,
  cohort,
  counter,
  details,
  funnel,
  liveUplink,
  map,
  pivot,
  sankey,
  sunburst,
  table,
  wordCloud,
];

const byType = new Map(visualizations.map((kind) => [kind.type, kind]));

/** Undefined for an unknown kind; its saved options stay as they are. */
export const findVisualization = (type: string): VisualizationKind | undefined => byType.get(type);

/** visualizations 1: the kinds that the picker offers, by name. */
export const offeredVisualizations = (): VisualizationKind[] =>
  visualizations.filter((kind) => !kind.isDeprecated).sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** visualizations 0.2, rule 5: the visualization of a query without any. */
export const defaultVisualization = { id: null, type: 'TABLE', name: 'Table', description: '', options: {} };
