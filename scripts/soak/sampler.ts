import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Installation } from '../../bench/ingest/installation.ts';

export interface Sample {
  minute: number;
  mb: Record<'web' | 'worker' | 'ingest' | 'executors', number>;
  /** Seconds that the newest counted minute is behind. */
  rollupLag: number;
  /** Jobs that nobody has begun. */
  waiting: number;
}

const everyMs = 2000;

/** Looks at the processes of a console and at what waits in its database, every other second. */
export class Sampler {
  readonly #installation: Installation;
  readonly #startedAt = performance.now();

  constructor(installation: Installation) {
    this.#installation = installation;
  }

  async during(work: Promise<unknown>): Promise<Sample[]> {
    const samples: Sample[] = [];
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    work.then(end, end);
    while (!isOver) {
      samples.push(await this.#look());
      await sleep(everyMs);
    }
    return samples;
  }

  async #look(): Promise<Sample> {
    const { rows } = await sql<{ waiting: number; lag: number }>`
      select (select count(*)::int from jobs where status = 1 and enqueued_at < now() - interval '1 second') as waiting,
        (select extract(epoch from now() - minutes_until)::float8 from telemetry.rollup_state) as lag`.execute(this.#installation.ctx.db);
    return {
      minute: (performance.now() - this.#startedAt) / 60_000,
      mb: memoryBelow(this.#installation.pid),
      rollupLag: rows[0]?.lag ?? 0,
      waiting: rows[0]?.waiting ?? 0,
    };
  }
}

interface Process {
  pid: number;
  parent: number;
  mb: number;
  command: string;
}

function memoryBelow(ancestor: number): Sample['mb'] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readProcess);
  const below = (pid: number): Process[] => all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  const ours = below(ancestor);
  const role = (name: string) => ours.find(({ command }) => command.includes(`main.ts\0${name}`));
  const worker = role('worker');
  const executors = worker ? below(worker.pid).reduce((sum, { mb }) => sum + mb, 0) : 0;
  return { web: role('web')?.mb ?? 0, worker: worker?.mb ?? 0, ingest: role('ingest')?.mb ?? 0, executors };
}

function readProcess(pid: string): Process[] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const number = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
    return [
      { pid: Number(pid), parent: number('PPid'), mb: number('VmRSS') / 1024, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') },
    ];
  } catch {
    // It ended between the listing and the look.
    return [];
  }
}
