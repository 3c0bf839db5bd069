import { setTimeout as delay } from 'node:timers/promises';
import { Logger as GraphileLogger, type Runner, run, type TaskList } from 'graphile-worker';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Services } from '../context.ts';
import type { ProcessEntry } from '../process-registry.ts';
import { type JobDefinition, type Queue, taskOf } from './define.ts';
import { runSingletons, type Singleton } from './lease.ts';
import { listen } from './listen.ts';
import { cancelChannel, runChannel, runNotice } from './queue.ts';
import { lanesOf, reapDeadProcesses } from './reaper.ts';
import { RunningJobs } from './running.ts';

/**
 * Queries wait for databases of other people; they never take the places of mails and upkeep. What nobody waits for never takes all
 * places of what people run, nor do slow schemas.
 */
const crews: { queues: Queue[]; concurrency: number; lookEveryMs: number }[] = [
  // They are heard of, and of a place in their lane; each of the crew would look for itself.
  { queues: ['queries'], concurrency: 8, lookEveryMs: 15_000 },
  { queues: ['scheduled_queries'], concurrency: 4, lookEveryMs: 2000 },
  { queues: ['schemas'], concurrency: 3, lookEveryMs: 2000 },
  { queues: ['emails', 'default', 'periodic'], concurrency: 4, lookEveryMs: 2000 },
];

/** What is heard of beyond these is left to the queue; those that wait for their turn in a lane do not count. */
const directAtOnce = 500;
const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface JobRunnerOptions {
  services: Services;
  databaseUrl: string;
  pool: pg.Pool;
  entry: ProcessEntry;
  definitions: JobDefinition[];
  singletons: Singleton[];
}

export async function startJobRunner({ services, databaseUrl, pool, entry, definitions, singletons }: JobRunnerOptions) {
  const { log, db } = services;
  const running = new RunningJobs(services, entry);
  const runners: { stop(): Promise<void> }[] = [];
  for (const { queues, concurrency, lookEveryMs } of crews) {
    const crew = definitions.filter((job) => queues.includes(job.queue));
    if (crew.length === 0) continue;
    const taskList: TaskList = Object.fromEntries(
      crew.map((job) => [
        taskOf(job),
        (payload: unknown, { job: { flags } }) => running.run(job, (payload as { job_id: string }).job_id, Object.keys(flags ?? {})),
      ]),
    );
    const start = () =>
      run({
        pgPool: pool,
        taskList,
        concurrency,
        noHandleSignals: true,
        pollInterval: lookEveryMs,
        forbiddenFlags: () => running.lanes.full,
        logger: quietLogger(log),
      });
    runners.push(keepRunner(await start(), start, log));
  }
  const obey = () =>
    void running.obeyCancellations().catch((error: Error) => log.warn({ err: error.message }, 'could not read cancellations'));
  const direct = new Map(definitions.filter((job) => job.isDirect).map((job) => [job.name, job]));
  const directRuns = new Set<Promise<void>>();
  let isStopping = false;
  /** A hint like any other: the row decides whether there is something to run, and the queue brings what was not heard. */
  const runDirectly = (notice: string) => {
    const [name = '', id = '', ...lanes] = notice.split(' ');
    const job = direct.get(name);
    if (!job || !isUuid.test(id) || isStopping || directRuns.size >= directAtOnce) return;
    if (running.lanes.waits(lanes, () => runDirectly(notice))) return;
    const ended = running
      .run(job, id, lanes)
      .catch((error: Error) => log.warn({ err: error.message, job: id }, 'a job could not be started directly'));
    directRuns.add(ended);
    void ended.finally(() => directRuns.delete(ended));
  };
  /** What was asked for while nobody listened. */
  const catchUp = async () => {
    const { rows } = await sql<{ id: string; name: string; payload: unknown }>`
      select id, name, payload from jobs
      where status = 1 and name = any(${[...direct.keys()]}) and queue = any(${[...direct.values()].map(({ queue }) => queue)}) order by enqueued_at limit ${directAtOnce}`.execute(
      db,
    );
    for (const { id, name, payload } of rows) runDirectly(runNotice(name, id, lanesOf(direct.values(), name, payload)));
  };
  const onConnect = () => {
    obey();
    catchUp().catch((error: Error) => log.warn({ err: error.message }, 'could not read what waits'));
  };
  const listener = listen(databaseUrl, { [cancelChannel]: obey, [runChannel]: runDirectly }, onConnect, log);
  const upkeep = runSingletons(
    db,
    entry.id,
    [{ name: 'jobs.reaper', everyMs: 2000, run: () => reapDeadProcesses(db, definitions, log) }, ...singletons],
    log,
  );
  return {
    async stop() {
      isStopping = true;
      await upkeep.stop();
      const patience = setTimeout(() => running.stopAll(), 3000);
      await Promise.all([...runners.map((runner) => runner.stop()), ...directRuns]);
      clearTimeout(patience);
      await listener.stop();
    },
  };
}

/**
 * graphile-worker ends itself when it hears that its tables were migrated, and anybody who can notify can say so: it is
 * started again, or this process would look alive and do nothing.
 */
function keepRunner(first: Runner, start: () => Promise<Runner>, log: Services['log']): { stop(): Promise<void> } {
  let runner: Runner | undefined = first;
  let isStopping = false;
  const keep = async () => {
    while (!isStopping) {
      await runner?.promise.catch(() => {});
      if (isStopping) return;
      log.warn('the job runner ended by itself and is started again');
      runner = await start().catch(() => undefined);
      if (!runner) await delay(1000);
    }
    await runner?.stop().catch(() => {});
  };
  const kept = keep();
  return {
    async stop() {
      isStopping = true;
      await runner?.stop().catch(() => {});
      await kept;
    },
  };
}

/** Our own record says how a job ended; graphile-worker's lines are only for debugging. */
const quietLogger = (log: Services['log']) =>
  new GraphileLogger(() => (level, message) => {
    if (level === 'error') log.debug({ graphile: message }, 'graphile-worker');
  });
