import { sql } from 'kysely';
import type { Services } from '../context.ts';
import type { Columns } from '../database.ts';
import type { ProcessEntry } from '../process-registry.ts';
import { Rounds } from '../rounds.ts';
import { Crews } from './crews.ts';
import type { JobDefinition } from './define.ts';
import { runSingletons, type Singleton } from './lease.ts';
import { listen } from './listen.ts';
import { cancelChannel, queueChannel, runChannel, runNotice } from './queue.ts';
import { reapDeadProcesses } from './reaper.ts';
import { RunningJobs } from './running.ts';

/** Notifications are hints: this is how late a job starts whose notification is lost, or whose time has come. */
const lookEveryMs = 2000;
/** Further announced jobs are left to the crews; jobs that wait for a place in a lane do not count. */
const directAtOnce = 500;
const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface JobRunnerOptions {
  services: Services;
  databaseUrl: string;
  entry: ProcessEntry;
  definitions: JobDefinition[];
  singletons: Singleton[];
}

export function startJobRunner({ services, databaseUrl, entry, definitions, singletons }: JobRunnerOptions) {
  const { log, db } = services;
  const running = new RunningJobs(services, entry, () => crews.lookInLanes());
  const crews = new Crews(definitions, running, log);
  const orWarn = (what: string) => (error: Error) => log.warn({ err: error.message }, what);
  const obey = () => void running.obeyCancellations().catch(orWarn('could not read cancellations'));
  const direct = new Map(definitions.filter((job) => job.isDirect).map((job) => [job.name, job]));
  const directRuns = new Set<Promise<void>>();
  let isStopping = false;
  /** The notice is only a hint: the row decides whether there is a job to run, and the crews find missed ones. */
  const runDirectly = (notice: string) => {
    const [name = '', id = '', ...lanes] = notice.split('\n');
    const job = direct.get(name);
    if (!job || !isUuid.test(id) || isStopping || directRuns.size >= directAtOnce) return;
    if (running.lanes.waits(lanes, () => runDirectly(notice))) return;
    const ended = running.run(job, id, lanes).catch(orWarn('a job could not be started directly'));
    directRuns.add(ended);
    void ended.finally(() => directRuns.delete(ended));
  };
  /** Runs the direct jobs that were queued while this process was not listening. */
  const catchUp = async () => {
    const { rows } = await sql<Columns<'jobs', 'id' | 'name' | 'lanes'>>`
      select id, name, lanes from jobs
      where status = 1 and run_at <= now() and name = any(${[...direct.keys()]}) and queue = any(${[...direct.values()].map(({ queue }) => queue)})
      order by run_at limit ${directAtOnce}`.execute(db);
    for (const { id, name, lanes } of rows) runDirectly(runNotice(name, id, lanes));
  };
  const onConnect = () => {
    obey();
    crews.look();
    catchUp().catch(orWarn('could not read what waits'));
  };
  const listener = listen(
    databaseUrl,
    { [cancelChannel]: obey, [runChannel]: runDirectly, [queueChannel]: (queue) => crews.lookIn(queue) },
    onConnect,
    log,
  );
  const checks = new Rounds(() => running.disownUnknown().catch(orWarn('could not compare what runs')));
  const timer = setInterval(() => {
    crews.look();
    checks.request();
  }, lookEveryMs);
  const upkeep = runSingletons(
    db,
    entry.id,
    [{ name: 'jobs.reaper', everyMs: 2000, run: () => reapDeadProcesses(db, definitions, log) }, ...singletons],
    log,
  );
  return {
    async stop() {
      isStopping = true;
      clearInterval(timer);
      const ended = crews.stop();
      await upkeep.stop();
      const stopTimer = setTimeout(() => running.stopAll(), 3000);
      await Promise.all([ended, ...directRuns, checks.settled()]);
      clearTimeout(stopTimer);
      await listener.stop();
    },
  };
}
