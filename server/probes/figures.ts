import { Counter, Gauge } from 'prom-client';
import type { Db } from '../platform/database.ts';
import { metrics } from '../platform/http/metrics.ts';
import { queues as queueNames } from '../platform/jobs/define.ts';
import { type RunFigures, readRunFigures, runBuckets } from '../results/run-figures.ts';
import { databaseSize, readQueues } from './probes.store.ts';

const queries = new Counter({
  name: 'telltale_queries_total',
  help: 'Runs of queries that have ended, by outcome.',
  labelNames: ['outcome'],
  registers: [metrics],
});
const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
  new Gauge({ name: `telltale_${name}`, help, labelNames, registers: [metrics] });
const queueLength = gauge('queue_length', 'Jobs by queue, waiting or running.', ['queue', 'state']);
const queueWait = gauge('queue_wait_seconds', 'How long the job that waits longest has been waiting, by queue.', ['queue']);
const databaseBytes = gauge('database_bytes', 'Size of the database on disk.');

/** Figures from the database, for all processes together. */
export async function readFigures(db: Db): Promise<string> {
  const [runs, queues, bytes] = await Promise.all([readRunFigures(db), readQueues(db), databaseSize(db)]);
  queries.reset();
  for (const { outcome, runs: count } of runs) queries.inc({ outcome }, count);
  queueLength.reset();
  queueWait.reset();
  for (const name of queueNames) {
    queueLength.set({ queue: name, state: 'waiting' }, 0);
    queueWait.set({ queue: name }, 0);
  }
  for (const { queue, waiting, running, wait } of queues) {
    queueLength.set({ queue, state: 'waiting' }, waiting);
    queueLength.set({ queue, state: 'running' }, running);
    queueWait.set({ queue }, wait);
  }
  databaseBytes.set(bytes);
  return histogram(runs);
}

/** Counted in the database by all workers, so it is printed here and not by the library. */
function histogram(runs: readonly RunFigures[]): string {
  const name = 'telltale_query_seconds';
  const lines = runs.flatMap(({ outcome, runs: count, seconds, buckets }) => {
    let sum = 0;
    const below = runBuckets.map((most, place) => {
      sum += buckets[place] ?? 0;
      return `${name}_bucket{le="${most}",outcome="${outcome}"} ${sum}`;
    });
    return [
      ...below,
      `${name}_bucket{le="+Inf",outcome="${outcome}"} ${count}`,
      `${name}_sum{outcome="${outcome}"} ${seconds}`,
      `${name}_count{outcome="${outcome}"} ${count}`,
    ];
  });
  return [`# HELP ${name} How long runs of queries took, by outcome.`, `# TYPE ${name} histogram`, ...lines, ''].join('\n');
}
