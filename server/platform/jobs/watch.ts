import type { Kysely } from 'kysely';
import type { DB } from '../database-types.ts';
import type { Logger } from '../log.ts';
import { listen } from './listen.ts';
import { findJob, type JobRow, jobChannel, startChannel } from './queue.ts';

export interface JobWatch {
  /** The job as it is when it has ended, or when the time is up. */
  wait(id: string, ms: number): Promise<JobRow | undefined>;
  /** Begins to listen for the end of a job that is about to be queued, so that no first look is needed. */
  expect(id: string): { wait(ms: number): Promise<JobRow | undefined>; forget(): void };
  /** Calls the listener with the id of every job that starts or ends; without an id when signals were missed. */
  onChange(listener: (id: string | undefined) => void): () => void;
  stop(): Promise<void>;
}

/** The longest wait for a job that is not queued yet. */
const longestExpectationMs = 60_000;

/** One listening connection serves all waiting requests of this process. */
export function watchJobs(databaseUrl: string, db: Kysely<DB>, log: Logger): JobWatch {
  const waiting = new Map<string, Set<() => void>>();
  const listeners = new Set<(id: string | undefined) => void>();
  const tellAll = (id?: string) => {
    for (const tell of listeners) tell(id);
  };
  const wake = (id: string) => {
    for (const go of waiting.get(id) ?? []) go();
  };
  const onConnect = () => {
    for (const id of waiting.keys()) wake(id);
    tellAll();
  };
  const onEnd = (id: string) => {
    wake(id);
    tellAll(id);
  };
  const listener = listen(databaseUrl, { [jobChannel]: onEnd, [startChannel]: tellAll }, onConnect, log);

  const lookUntilEnd = async (id: string, until: number) => {
    for (;;) {
      // Listening begins before the look, so that an end between them is not missed.
      const sign = nextSign(id, Math.max(0, until - Date.now()));
      const job = await findJob(db, id);
      if (!job || job.status >= 3 || Date.now() >= until) {
        sign.done();
        return job;
      }
      await sign.promise;
    }
  };

  const nextSign = (id: string, ms: number) => {
    const all = waiting.get(id) ?? new Set();
    waiting.set(id, all);
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = () => {
      clearTimeout(timer);
      all.delete(done);
      // A second call must not remove a newer set of waiting callbacks.
      if (all.size === 0 && waiting.get(id) === all) waiting.delete(id);
      resolve();
    };
    const timer = setTimeout(done, ms);
    all.add(done);
    return { promise, done };
  };

  return {
    wait: (id, ms) => lookUntilEnd(id, Date.now() + ms),
    expect(id) {
      const sign = nextSign(id, longestExpectationMs);
      return {
        async wait(ms) {
          const until = Date.now() + ms;
          const timer = setTimeout(sign.done, ms);
          await sign.promise;
          clearTimeout(timer);
          return lookUntilEnd(id, until);
        },
        forget: sign.done,
      };
    },
    onChange(tell) {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    stop: () => listener.stop(),
  };
}
