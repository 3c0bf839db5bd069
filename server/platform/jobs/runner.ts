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
 * Crews of workers. Queries wait for external databases, so they never take the places of mails and upkeep. Scheduled runs never take all
 * places of the runs that people wait for, nor do slow schemas.
 */
const crews: { queues: Queue[]; concurrency: number; lookEveryMs: number }[] = [
  // Workers are notified of these jobs and of free places in their lanes, and each of the crew would poll by itself.
  { queues: ['queries'], concurrency: 8, lookEveryMs: 15_000 },
  { queues: ['scheduled_queries'], concurrency: 4, lookEveryMs: 2000 },
  { queues: ['schemas'], concurrency: 3, lookEveryMs: 2000 },
  // Targets that do not answer hold up only other notices.
  { queues: ['notices'], concurrency: 8, lookEveryMs: 2000 },
  { queues: ['emails', 'default', 'periodic'], concurrency: 4, lookEveryMs: 2000 },
];

/** Further announced jobs are left to the queue; jobs that wait for a place in a lane do not count. */
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
  /** The notice is only a hint: the row decides whether there is a job to run, and the queue brings missed ones. */
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
  /** Runs the direct jobs that were queued while this process was not listening. */
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
      const timer = setTimeout(() => running.stopAll(), 3000);
      await Promise.all([...runners.map((runner) => runner.stop()), ...directRuns]);
      clearTimeout(timer);
      await listener.stop();
    },
  };
}

/**
 * graphile-worker ends itself when it is notified that its tables were migrated, and any client that can notify can cause that: it is
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

/** Our own record holds the outcome of a job; graphile-worker's log lines are only for debugging. */
const quietLogger = (log: Services['log']) =>
  new GraphileLogger(() => (level, message) => {
    if (level === 'error') log.debug({ graphile: message }, 'graphile-worker');
  });
