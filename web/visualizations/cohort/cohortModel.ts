import { formatDate } from '@telltale/domain/visualizations/date-format.ts';
import { numberFormatter } from '@telltale/domain/visualizations/number-format.ts';
import { type DisplaySettings, separatorsOf } from '../displaySettings.ts';
import type { ResultTable } from '../resultTable.ts';
import { fillTemplate } from '../template.ts';
import type { CohortOptions, Interval } from './cohortOptions.ts';
import { addIntervals, type Bucket, bucketsOf, intervalsBetween } from './cohortRows.ts';

export interface CohortCell {
  text: string;
  /** The number behind a percentage; empty where tooltips are off or there is no number. */
  tooltip: string;
  /** 0 to `steps` - 1; null for no colour. */
  shade: number | null;
}

export interface CohortRow {
  label: string;
  total: string;
  /** Null where the row has no such stage. */
  cells: (CohortCell | null)[];
}

export interface CohortModel {
  stages: string[];
  rows: CohortRow[];
  /** Rows or stages that are not drawn. */
  left: { rows: number; stages: number };
}

/** More rows or cells would block the page. */
const mostRows = 366;
const mostCells = 12_000;
const labels: Readonly<Record<Interval, string>> = { daily: 'MMMM D, YYYY', weekly: '[Week of] MMM D, YYYY', monthly: 'MMMM YYYY' };

export const missingOf = ({ columns }: ResultTable, options: CohortOptions): string[] =>
  [options.dateColumn, options.stageColumn, options.totalColumn, options.valueColumn].filter((name) =>
    columns.every((column) => column.name !== name),
  );

/** visualizations 8; null where there is nothing to draw. */
export function cohortModel(table: ResultTable, options: CohortOptions, settings: DisplaySettings): CohortModel | null {
  if (missingOf(table, options).length > 0) return null;
  const buckets = bucketsOf(table, options);
  const lines = withGaps(buckets, options.timeInterval);
  const { first, count } = stagesOf(buckets, lines.total, options);
  const stageCount = Math.min(count, Math.floor(mostCells / Math.max(1, lines.shown.length)));
  if (buckets.length === 0 || count === 0) return null;
  const print = printersOf(options, settings);
  const rows = lines.shown.map(({ at, bucket }, index): CohortRow => {
    const cells = Array.from({ length: stageCount }, (_, place): CohortCell | null => {
      if (options.mode === 'simple') {
        const value = bucket?.values.get(first + place);
        return value === undefined ? null : print.cell(value, bucket?.total ?? 0);
      }
      // Later groups have had less time, so each row has one stage less.
      return place < count - index ? print.cell(bucket?.values.get(first + place) ?? 0, bucket?.total ?? 0) : null;
    });
    return { label: formatDate(at, labels[options.timeInterval]), total: print.number(bucket?.total ?? 0), cells };
  });
  const stages = Array.from({ length: stageCount }, (_, place) =>
    fillTemplate(options.stageColumnTitle, (name) => (name === '@' ? place + 1 : undefined)),
  );
  return { stages, rows, left: { rows: lines.total - rows.length, stages: count - stageCount } };
}

interface Line {
  at: number;
  /** Null where the date is missing in the data. */
  bucket: Bucket | null;
}

/** Adds empty rows for dates that are missing in the data. */
function withGaps(buckets: readonly Bucket[], interval: Interval): { shown: Line[]; total: number } {
  const shown: Line[] = [];
  let total = 0;
  const push = (line: Line) => {
    total += 1;
    if (shown.length < mostRows) shown.push(line);
  };
  buckets.forEach((bucket, at) => {
    const before = buckets[at - 1];
    const missing = before ? Math.max(0, intervalsBetween(before.at, bucket.at, interval) - 1) : 0;
    const drawn = Math.min(missing, mostRows);
    for (let gap = 1; gap <= drawn && before; gap += 1) push({ at: addIntervals(before.at, gap, interval), bucket: null });
    total += missing - drawn;
    push({ at: bucket.at, bucket });
  });
  return { shown, total };
}

function stagesOf(buckets: readonly Bucket[], rows: number, { mode }: CohortOptions): { first: number; count: number } {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { values } of buckets) {
    for (const stage of values.keys()) {
      first = Math.min(first, stage);
      last = Math.max(last, stage);
    }
  }
  if (first > last) return { first: 0, count: 0 };
  return { first, count: mode === 'diagonal' ? rows : last - first + 1 };
}

function printersOf(options: CohortOptions, settings: DisplaySettings) {
  const { percentValues, showTooltips, noValuePlaceholder, colors } = options;
  const number = numberFormatter(options.numberFormat, separatorsOf(settings));
  const percent = numberFormatter(options.percentFormat, separatorsOf(settings));
  const cell = (value: number, total: number): CohortCell => {
    const part = (value / total) * 100;
    if (!Number.isFinite(part)) return { text: noValuePlaceholder, tooltip: '', shade: null };
    const shade = Math.min(colors.steps - 1, Math.max(0, Math.ceil((part / 100) * colors.steps) - 1));
    return { text: percentValues ? percent(part) : number(value), tooltip: percentValues && showTooltips ? number(value) : '', shade };
  };
  return { number, cell };
}
