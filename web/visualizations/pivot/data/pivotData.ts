import type { ResultColumn, ResultRow } from '@telltale/domain/results/contract.ts';
import { cellReader, plainText } from '../../cellValue.ts';
import type { DisplaySettings } from '../../displaySettings.ts';
import { numericValue } from '../../numericValue.ts';
import { part, type Sliced } from '../../table/view/sliced.ts';
import { type Accumulator, type AggregatorName, aggregatorOf } from './aggregators.ts';
import { type Attribute, attributePrinter, encodeAttribute } from './attribute.ts';

export interface PivotRequest {
  rows: readonly ResultRow[];
  columns: readonly ResultColumn[];
  rowAttributes: readonly string[];
  colAttributes: readonly string[];
  /** Columns that the aggregator reads. */
  inputs: readonly string[];
  aggregatorName: AggregatorName;
  valueFilter: Readonly<Record<string, Readonly<Record<string, boolean>>>>;
  settings: DisplaySettings;
  /** Attributes computed before, kept from one arrangement to the next. */
  known: Map<string, Attribute>;
}

/** A group of rows or columns: the texts of its attributes. */
export type Key = readonly string[];

export interface PivotData {
  rowKeys: readonly Key[];
  colKeys: readonly Key[];
  /** The result by index in `rowKeys` and `colKeys`; an undefined index means the total over all of them. */
  result: (row: number | undefined, col: number | undefined) => number | string | null;
  /** Rows that count after filtering. */
  count: number;
}

/** More groups would not be readable, nor fit into the memory of a phone. */
const mostGroups = 50_000;
const mostCells = 400_000;
const rowsPerStep = 1000;
const spread = 2 ** 24;

/** A message in place of the picture; not an error. */
export interface TooMany {
  tooMany: string;
}

/** Looks at every row once, in slices. */
export function* pivotData(request: PivotRequest): Sliced<PivotData | TooMany> {
  const { rows, rowAttributes, colAttributes } = request;
  const filtered = Object.keys(request.valueFilter).filter((name) => hasAny(request.valueFilter[name]));
  const needed = [...new Set([...rowAttributes, ...colAttributes, ...filtered])].filter((name) => !request.known.has(name));
  const share = 0.6 / Math.max(1, needed.length);
  for (const [at, name] of needed.entries()) {
    const column = request.columns.find((one) => one.name === name);
    if (column) request.known.set(name, yield* part(encodeAttribute(rows, column, request.settings), at * share, (at + 1) * share));
  }
  const attribute = (name: string): Attribute => request.known.get(name) ?? { codes: new Uint32Array(rows.length), texts: [''] };
  const rowGroups = groupsOf(rowAttributes.map(attribute));
  const colGroups = groupsOf(colAttributes.map(attribute));
  const isLeftOut = filterOf(request, filtered, attribute);
  const { make, reads, partOf } = aggregatorOf(request.aggregatorName);
  const [first, second] = request.inputs.map(cellReader);
  const readFirst = reads === 'number' ? numericValue : reads === 'text' ? textOrNumber : labelReader(request);

  const grand = make();
  const rowTotals: Accumulator[] = [];
  const colTotals: Accumulator[] = [];
  const cells = new Map<number, Accumulator>();
  let count = 0;
  for (let at = 0; at < rows.length; at += 1) {
    if (at % rowsPerStep === rowsPerStep - 1) yield 0.6 + 0.4 * (at / rows.length);
    const row = rows[at];
    if (row === undefined || isLeftOut(at)) continue;
    const [rowId, colId] = [rowGroups.of(at), colGroups.of(at)];
    if (rowGroups.size() > mostGroups || colGroups.size() > mostGroups) return { tooMany: tooManyGroups(rowGroups.size() > mostGroups) };
    const place = rowId * spread + colId;
    let cell = cells.get(place);
    if (!cell) {
      if (cells.size >= mostCells) return { tooMany: 'These rows and columns have too many cells to draw.' };
      cell = make();
      cells.set(place, cell);
    }
    rowTotals[rowId] ??= make();
    colTotals[colId] ??= make();
    const value = first ? readFirst(first(row)) : null;
    const other = second ? numericValue(second(row)) : null;
    cell.push(value, other);
    rowTotals[rowId].push(value, other);
    colTotals[colId].push(value, other);
    grand.push(value, other);
    count += 1;
  }

  const total = (row: number | undefined, col: number | undefined): number | string | null | undefined => {
    if (row === undefined) return (col === undefined ? grand : colTotals[col])?.result();
    return (col === undefined ? rowTotals[row] : cells.get(row * spread + col))?.result();
  };
  const whole = (row: number | undefined, col: number | undefined) => {
    if (partOf === 'row' && row !== undefined) return total(row, undefined);
    if (partOf === 'column' && col !== undefined) return total(undefined, col);
    return total(undefined, undefined);
  };
  const result: PivotData['result'] = (row, col) => {
    const value = total(row, col);
    if (value === undefined) return null;
    if (!partOf || typeof value !== 'number') return value;
    const all = whole(row, col);
    return typeof all === 'number' ? value / all : null;
  };
  return { rowKeys: rowGroups.keys(), colKeys: colGroups.keys(), result, count };
}

const hasAny = (values: Readonly<Record<string, boolean>> | undefined): boolean => Object.values(values ?? {}).some(Boolean);
const tooManyGroups = (isRows: boolean): string =>
  `The ${isRows ? 'rows' : 'columns'} have more than ${mostGroups.toLocaleString('en')} different values. Filter them, or take a column out.`;

function textOrNumber(value: unknown): number | string | null {
  if (value === null || value === undefined) return null;
  return numericValue(value) ?? plainText(value).slice(0, 200);
}

/** The label as the attribute prints it, but numbers stay numbers, so that they are sorted by size. */
function labelReader({ columns, inputs, settings }: PivotRequest): (value: unknown) => number | string | null {
  const column = columns.find(({ name }) => name === inputs[0]);
  if (!column) return textOrNumber;
  const print = attributePrinter(column, settings);
  return (value) => (value === null || value === undefined ? null : (numericValue(value) ?? print(value)));
}

function filterOf(
  { valueFilter }: PivotRequest,
  names: readonly string[],
  attribute: (name: string) => Attribute,
): (at: number) => boolean {
  const filters = names.map((name) => {
    const { codes, texts } = attribute(name);
    const excluded = valueFilter[name] ?? {};
    return { codes, isOut: Uint8Array.from(texts, (text) => (Object.hasOwn(excluded, text) && excluded[text] ? 1 : 0)) };
  });
  return (at) => filters.some(({ codes, isOut }) => isOut[codes[at] ?? 0] === 1);
}

interface Groups {
  size: () => number;
  of: (at: number) => number;
  keys: () => Key[];
}

/** Numbers rows by the combination of their attributes, in order of appearance. */
function groupsOf(attributes: readonly Attribute[]): Groups {
  const levels = attributes.map(({ codes, texts }) => ({ codes, width: texts.length, next: new Map<number, number>() }));
  /** The first row of each group. */
  const met: number[] = [];
  const of = (at: number): number => {
    let group = 0;
    let isNew = false;
    for (const { codes, width, next } of levels) {
      const key = group * width + (codes[at] ?? 0);
      const known = next.get(key);
      isNew = known === undefined;
      group = known ?? next.size;
      if (isNew) next.set(key, group);
    }
    if (isNew) met.push(at);
    return group;
  };
  const keys = () => met.map((at) => attributes.map(({ codes, texts }) => texts[codes[at] ?? 0] ?? ''));
  return { of, keys, size: () => met.length };
}
