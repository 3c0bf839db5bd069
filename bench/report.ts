import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, cpus, totalmem } from 'node:os';

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
}

const shown = (value: number) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2));

export function print(name: string, figures: Figure[]): void {
  console.log(`\n${name}`);
  for (const { what, value, unit, reference, goal, isMet } of figures) {
    const ratio = reference ? ` · ${reference.what} ${shown(reference.value)} ${unit} · ratio ${shown(value / reference.value)}` : '';
    console.log(`  ${isMet ? 'met   ' : 'missed'}  ${what}: ${shown(value)} ${unit}${ratio} · goal ${goal}`);
  }
}

export function save(name: string, figures: Figure[]): void {
  mkdirSync('bench/results', { recursive: true });
  const machine = {
    cpu: cpus()[0]?.model ?? '',
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 1024 ** 3),
    arch: arch(),
    node: process.version,
  };
  writeFileSync(
    `bench/results/${name}.json`,
    `${JSON.stringify({ case: name, at: new Date().toISOString(), machine, figures }, null, 2)}\n`,
  );
}

export function percentile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export const median = (values: number[]) => percentile(values, 0.5);
