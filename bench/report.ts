import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, cpus, totalmem } from 'node:os';
import { type Bar, barChart } from './picture.ts';

/** One line of a benchmark: a figure, what it is held against in the same run, and the goal of the design. */
export interface Figure {
  what: string;
  value: number;
  unit: string;
  /** Measured in the same run, on the same machine. */
  reference?: { what: string; value: number };
  goal: string;
  /** Whether the goal is met; goals are to beat, they fail nothing. */
  isMet: boolean;
}

export interface Case {
  name: string;
  run(): Promise<Figure[]>;
  /** A look in less than a minute, for bounds (`--quick`). */
  quick?(): Promise<Figure[]>;
}

const folder = 'artifacts/bench';

const shown = (value: number) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2));

export const ratioOf = ({ value, reference }: Figure): number | undefined => reference && value / reference.value;

/** Of rates more is better, of everything else less. */
export const isRate = ({ unit }: Figure): boolean => unit.endsWith('/s');

export function print(name: string, figures: Figure[]): void {
  console.log(`\n${name}`);
  for (const figure of figures) {
    const { what, value, unit, reference, goal, isMet } = figure;
    const ratio = reference ? ` · ${reference.what} ${shown(reference.value)} ${unit} · ratio ${shown(ratioOf(figure) ?? 0)}` : '';
    console.log(`  ${isMet ? 'met   ' : 'missed'}  ${what}: ${shown(value)} ${unit}${ratio} · goal ${goal}`);
  }
}

/** Which machine and which commit figures are of. */
export function facts() {
  const commit = () =>
    execFileSync('git', ['rev-parse', '--short', 'HEAD'], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim();
  return {
    at: new Date().toISOString(),
    commit: process.env.GIT_COMMIT ?? attempt(commit) ?? 'unknown',
    machine: {
      cpu: cpus()[0]?.model ?? '',
      cores: cpus().length,
      memory_gb: Math.round(totalmem() / 1024 ** 3),
      arch: arch(),
      node: process.version,
    },
  };
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The figures as JSON and, where they have references, as a picture beside it. */
export function save(name: string, figures: Figure[]): void {
  saveFile(`${name}.json`, `${JSON.stringify({ case: name, ...facts(), figures }, null, 2)}\n`);
  const bars = figures.flatMap((figure): Bar[] => {
    const ratio = ratioOf(figure);
    if (ratio === undefined) return [];
    return [{ label: figure.what, value: ratio, note: `${shown(ratio)} × · ${shown(figure.value)} ${figure.unit}`, isMet: figure.isMet }];
  });
  if (bars.length > 0) saveFile(`${name}.svg`, barChart(`${name}: measured beside its reference (dashed)`, bars));
}

export function saveFile(name: string, content: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/${name}`, content);
}

export function percentile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export const median = (values: number[]) => percentile(values, 0.5);
