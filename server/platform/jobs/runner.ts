import { CoalescedTask } from '../coalesced-task.ts';
import type { Services } from '../context.ts';
import type { ProcessEntry } from '../process-registry.ts';
import type { JobDefinition } from './define.ts';
import { runSingletons, type Singleton } from './lease.ts';
import { listen } from './listen.ts';
import { type JobPool, makePools } from './pools.ts';
import { cancelChannel, queueChannel, runChannel } from './queue.ts';
import { reapDeadProcesses } from './reaper.ts';
import { RunningJobs } from './running.ts';

/** Notifications are hints: this is how late a job starts whose notification is lost, or whose time has come. */
const pollEveryMs = 2000;
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
  const running = new RunningJobs(services, entry);
  const { direct, pools } = makePools(definitions, running, log);
  const poll = (isMeant: (pool: JobPool) => boolean = () => true) => {
    for (const pool of pools.filter(isMeant)) pool.poll();
  };
  const orWarn = (what: string) => (error: Error) => log.warn({ err: error.message }, what);
  const cancelRequested = () => void running.applyCancellations().catch(orWarn('could not read cancellations'));
  /** The notice is only a hint: the row decides whether there is a job to run, and the next poll finds missed ones. */
  const runDirectly = (notice: string) => {
    const [name = '', id = '', ...lanes] = notice.split('\n');
    const job = direct.jobs.get(name);
    if (!job || !isUuid.test(id) || !direct.hasSlot) return;
    if (running.lanes.waits(lanes, () => runDirectly(notice))) return;
    direct.keep(running.run(job, id, lanes));
  };
  const listener = listen(
    databaseUrl,
    {
      [cancelChannel]: cancelRequested,
      [runChannel]: runDirectly,
      [queueChannel]: (queue) => poll(({ queues }) => queues.includes(queue)),
    },
    () => {
      cancelRequested();
      poll();
    },
    log,
  );
  const checks = new CoalescedTask(() => running.disownUnknown().catch(orWarn('could not compare what runs')));
  const timer = setInterval(() => {
    poll();
    checks.request();
  }, pollEveryMs);
  const upkeep = runSingletons(
    db,
    entry.id,
    [{ name: 'jobs.reaper', everyMs: 2000, run: () => reapDeadProcesses(db, definitions, log) }, ...singletons],
    log,
  );
  return {
    async stop() {
      clearInterval(timer);
      const ended = pools.map((pool) => pool.stop());
      await upkeep.stop();
      const stopTimer = setTimeout(() => running.stopAll(), 3000);
      await Promise.all([...ended, checks.settled()]);
      clearTimeout(stopTimer);
      await listener.stop();
    },
  };
}
