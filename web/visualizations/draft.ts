import type { StoredOptions, VisualizationKind } from './define.ts';
import type { DisplaySettings } from './displaySettings.ts';
import { findVisualization, offeredVisualizations } from './index.ts';
import { type ResultSource, resultTable } from './resultTable.ts';

/** A visualization while it is edited. */
export interface Draft {
  type: string;
  name: string;
  options: StoredOptions;
}

/** visualizations 1: the editor opens on a chart. */
export function newDraft(offered: readonly VisualizationKind[] = offeredVisualizations()): Draft {
  const { type, name } = offered.find((kind) => kind.type === 'CHART') ?? offered[0] ?? { type: 'TABLE', name: 'Table' };
  return { type, name, options: {} };
}

/** visualizations 3: the defaults of the other kind, and its name unless somebody has typed one. */
export function withType({ type: before, name }: Draft, type: string): Draft {
  const isTyped = name.trim() !== '' && name !== nameOf(before);
  return { type, name: isTyped ? name : nameOf(type), options: {} };
}

const nameOf = (type: string): string => findVisualization(type)?.name ?? type;

/** The picker, with a kind that is no longer offered where this one is of it. */
export function kindChoices(type: string): { value: string; label: string }[] {
  const offered = offeredVisualizations().map((kind) => ({ value: kind.type, label: kind.name }));
  return offered.some(({ value }) => value === type) ? offered : [...offered, { value: type, label: nameOf(type) }];
}

interface Drawn {
  data: ResultSource;
  settings: DisplaySettings;
}

/** visualizations 0.2, rule 2: effective options are stored, so that what was inferred stays when the result changes. */
export function draftToStore({ type, name, options }: Draft, { data, settings }: Drawn): Draft {
  const kind = findVisualization(type);
  const stored = kind?.optionsToSave(kind.effectiveOptions(options, { columns: resultTable(data).columns, settings })) ?? options;
  return { type, name: name.trim(), options: stored };
}

/** Why it cannot be saved, or null. */
export function draftFault({ type, name, options }: Draft): string | null {
  return name.trim() === '' ? 'A visualization needs a name.' : (findVisualization(type)?.faultOf(options) ?? null);
}
