import { cellReader } from '../cellValue.ts';
import { category20 } from '../palettes.ts';
import type { ResultTable } from '../resultTable.ts';
import { amount, colorsByName, stageColumns, stageReader, valueColumn } from '../sequences.ts';

interface SankeyNode {
  /** A unique key: the same name in another stage is another node. */
  key: string;
  name: string;
  stage: number;
  color: string;
  /** The amount that flows through it. */
  value: number;
  /** The end of a path that stops early: it takes room and is not drawn. */
  isExit: boolean;
}

interface SankeyLink {
  source: string;
  target: string;
  value: number;
}

export interface SankeyModel {
  nodes: readonly SankeyNode[];
  links: readonly SankeyLink[];
  stages: readonly string[];
  value: string | null;
}

/** More nodes in a stage would be hairlines; the rest is combined. */
const mostNodes = 100;
const exit = 'Exit';
const none: SankeyModel = { nodes: [], links: [], stages: [], value: null };

const known = new WeakMap<ResultTable, SankeyModel>();

/** visualizations 13. Stages only go forward, so there is no cycle whatever the rows say. */
export function sankeyModel(table: ResultTable): SankeyModel {
  const last = known.get(table);
  if (last) return last;
  const model = makeModel(table);
  known.set(table, model);
  return model;
}

function makeModel({ columns, rows }: ResultTable): SankeyModel {
  const value = valueColumn(columns);
  const stages = stageColumns(columns, value);
  if (value === null || stages.length < 2) return { ...none, stages, value };
  const readValue = cellReader(value);
  const readers = stages.map(stageReader);
  const isKept = frequentNames(rows, readers, readValue);
  const links = new Map<string, SankeyLink>();
  const nodes = new Map<string, SankeyNode>();
  const colorOf = colorsByName(category20);
  const nodeAt = (stage: number, name: string | undefined): SankeyNode => {
    const shown = name === undefined ? exit : isKept(stage, name) ? name : 'Other';
    const key = JSON.stringify([stage, name === undefined ? null : shown]);
    const found = nodes.get(key);
    if (found) return found;
    const made = { key, name: shown, stage, color: colorOf(firstWord(shown)), value: 0, isExit: name === undefined };
    nodes.set(key, made);
    return made;
  };
  for (const row of rows) {
    const size = amount(readValue(row));
    if (size === 0) continue;
    let hasArrived = false;
    for (let stage = 0; stage < stages.length - 1; stage += 1) {
      const name = readers[stage]?.(row);
      if (name === undefined && stage > 0) continue;
      const next = readers[stage + 1]?.(row);
      const source = nodeAt(stage, name ?? 'null');
      const target = nodeAt(stage + 1, next);
      const key = `${source.key} ${target.key}`;
      const link = links.get(key) ?? { source: source.key, target: target.key, value: 0 };
      link.value += size;
      links.set(key, link);
      // Where a path begins, at the first stage or after a gap, nothing has flowed into the node.
      if (!hasArrived) source.value += size;
      target.value += size;
      hasArrived = next !== undefined;
    }
  }
  return { nodes: [...nodes.values()], links: [...links.values()], stages, value };
}

const firstWord = (name: string): string => name.split(' ', 1)[0] ?? name;

/** The names of a stage that are drawn separately. */
function frequentNames(
  rows: ResultTable['rows'],
  readers: readonly ReturnType<typeof stageReader>[],
  readValue: ReturnType<typeof cellReader>,
): (stage: number, name: string) => boolean {
  const kept = readers.map((read) => {
    const sums = new Map<string, number>();
    for (const row of rows) {
      const name = read(row) ?? '';
      sums.set(name, (sums.get(name) ?? 0) + amount(readValue(row)));
    }
    if (sums.size <= mostNodes) return null;
    return new Set(
      [...sums]
        .sort(([, a], [, b]) => b - a)
        .slice(0, mostNodes)
        .map(([name]) => name),
    );
  });
  return (stage, name) => kept[stage]?.has(name) ?? true;
}
