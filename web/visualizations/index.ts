import type { VisualizationKind } from './define.ts';
import { table } from './table/index.ts';

/** Every kind, one line each. */
export const visualizations: readonly VisualizationKind[] = [table];

const byType = new Map(visualizations.map((kind) => [kind.type, kind]));

/** Undefined for a kind that this console does not know; what was saved of it stays as it is. */
export const findVisualization = (type: string): VisualizationKind | undefined => byType.get(type);

/** visualizations 1: what the picker offers, by name. */
export const offeredVisualizations = (): VisualizationKind[] =>
  visualizations.filter((kind) => !kind.isDeprecated).sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** visualizations 0.2, rule 5: a query without any shows this one. */
export const defaultVisualization = { id: null, type: 'TABLE', name: 'Table', description: '', options: {} };
