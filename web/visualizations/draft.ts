import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import { carriedOptions } from './carried.ts';
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
export function newDraft(columns: readonly ResultColumn[], offered: readonly VisualizationKind[] = offeredVisualizations()): Draft {
  const kind = offered.find(({ type }) => type === 'CHART') ?? offered[0];
  return kind ? { type: kind.type, name: kind.name, options: kind.firstOptions(columns) } : { type: 'TABLE', name: 'Table', options: {} };
}

/**
 * visualizations 3: the defaults of the other kind with the columns that were chosen, or what that kind had before; its name unless
 * somebody has typed one.
 */
export function withType(
  { type: before, name, options }: Draft,
  type: string,
  columns: readonly ResultColumn[],
  earlier?: StoredOptions,
): Draft {
  const isTyped = name.trim() !== '' && name !== nameOf(before);
  const first = { ...findVisualization(type)?.firstOptions(columns), ...carriedOptions(before, options, type, columns) };
  return { type, name: isTyped ? name : nameOf(type), options: earlier ?? first };
}

const nameOf = (type: string): string => findVisualization(type)?.name ?? type;

/** The offered kinds, and the visualization's own kind even if it is no longer offered. */
export function kindChoices(type: string): { value: string; label: string }[] {
  const offered = offeredVisualizations().map((kind) => ({ value: kind.type, label: kind.name }));
  return offered.some(({ value }) => value === type) ? offered : [...offered, { value: type, label: nameOf(type) }];
}

interface Drawn {
  data: ResultSource;
  settings: DisplaySettings;
}

/** visualizations 0.2, rule 2: effective options are stored, so that inferred ones stay when the result changes. */
export function draftToStore({ type, name, options }: Draft, { data, settings }: Drawn): Draft {
  const kind = findVisualization(type);
  const stored = kind?.optionsToSave(kind.effectiveOptions(options, { columns: resultTable(data).columns, settings })) ?? options;
  return { type, name: name.trim(), options: stored };
}

/** The reason why it cannot be saved, or null. */
export function draftFault({ type, name, options }: Draft): string | null {
  return name.trim() === '' ? 'A visualization needs a name.' : (findVisualization(type)?.faultOf(options) ?? null);
}
