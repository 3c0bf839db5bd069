import { cellReader, plainText } from '../cellValue.ts';
import { numericValue } from '../numericValue.ts';
import { category10 } from '../palettes.ts';
import type { ResultTable } from '../resultTable.ts';
import { amount, colorsByName, stageColumns, stageReader, valueColumn } from '../sequences.ts';

export interface SunburstNode {
  name: string;
  color: string;
  /** The sum of all paths through it, including those that end here. */
  value: number;
  children: SunburstNode[];
}

export interface SunburstModel {
  nodes: readonly SunburstNode[];
  total: number;
}

interface Path {
  names: string[];
  value: number;
}

/** In radians; thinner slices are not drawn (visualizations 14). */
const thinnest = 0.005;
const longestPath = 50;

const known = new WeakMap<ResultTable, SunburstModel>();

export function sunburstModel(table: ResultTable): SunburstModel {
  const last = known.get(table);
  if (last) return last;
  const model = treeOf(isOneRowPerStep(table) ? pathsOfSteps(table) : pathsOfRows(table));
  known.set(table, model);
  return model;
}

/** visualizations 14: the first row decides the layout. */
function isOneRowPerStep({ rows: [first] }: ResultTable): boolean {
  return first !== undefined && ['sequence', 'stage', 'node', 'value'].every((name) => Object.hasOwn(first, name));
}

/** `sequence, stage, node, value`: one row per step; the first row of a sequence has its size. */
function pathsOfSteps({ rows }: ResultTable): Path[] {
  const sequences = new Map<string, { value: number; steps: { stage: number; name: string }[] }>();
  for (const { sequence, stage, node, value } of rows) {
    const key = plainText(sequence);
    const found = sequences.get(key) ?? { value: amount(value), steps: [] };
    if (!sequences.has(key)) sequences.set(key, found);
    const name = plainText(node).slice(0, 200);
    if (name !== '') found.steps.push({ stage: numericValue(stage) ?? 0, name });
  }
  return [...sequences.values()].map(({ value, steps }) => ({
    value,
    names: steps
      .sort((a, b) => a.stage - b.stage)
      .slice(0, longestPath)
      .map(({ name }) => name),
  }));
}

/** `stage1` … `stage5, value`: one row per path, nulls dropped. */
function pathsOfRows({ columns, rows }: ResultTable): Path[] {
  const value = valueColumn(columns);
  if (value === null) return [];
  const readValue = cellReader(value);
  const readers = stageColumns(columns, value).map(stageReader);
  return rows.map((row) => ({ value: amount(readValue(row)), names: readers.flatMap((read) => read(row) ?? []) }));
}

interface Growing extends SunburstNode {
  byName: Map<string, Growing>;
  children: Growing[];
}

function treeOf(paths: readonly Path[]): SunburstModel {
  const colorOf = colorsByName(category10);
  const root: Growing = { name: '', color: '', value: 0, children: [], byName: new Map() };
  for (const { names, value } of paths) {
    if (value === 0 || names.length === 0) continue;
    root.value += value;
    let place = root;
    for (const name of names) {
      const found = place.byName.get(name) ?? { name, color: colorOf(name), value: 0, children: [], byName: new Map() };
      if (!place.byName.has(name)) {
        place.byName.set(name, found);
        place.children.push(found);
      }
      found.value += value;
      place = found;
    }
  }
  const least = (root.value * thinnest) / (2 * Math.PI);
  return { total: root.value, nodes: drawn(root.children, least) };
}

const drawn = (nodes: readonly Growing[], least: number): SunburstNode[] =>
  nodes
    .filter(({ value }) => value >= least)
    .map(({ name, color, value, children }) => ({ name, color, value, children: drawn(children, least) }));

/** visualizations 14: three significant digits, or `< 1.0%`. */
export function percentText(part: number, total: number): string {
  const percent = total > 0 ? (part / total) * 100 : 0;
  return percent < 1 && percent > 0 ? '< 1.0%' : `${percent.toPrecision(3)}%`;
}

/** A path is an index on each ring; returns the nodes on it, from the middle outwards. */
export function pathTo(nodes: readonly SunburstNode[], path: readonly number[]): SunburstNode[] {
  const found: SunburstNode[] = [];
  let level = nodes;
  for (const at of path) {
    const node = level[at];
    if (!node) break;
    found.push(node);
    level = node.children;
  }
  return found;
}

/** The index of a node in depth-first order, with the root as 0: the chart's own number of it. */
export function placeOf(nodes: readonly SunburstNode[], path: readonly number[]): number {
  const size = ({ children }: SunburstNode): number => 1 + children.reduce((sum, child) => sum + size(child), 0);
  let place = 0;
  let level = nodes;
  for (const at of path) {
    place += 1 + level.slice(0, at).reduce((sum, node) => sum + size(node), 0);
    level = level[at]?.children ?? [];
  }
  return place;
}
