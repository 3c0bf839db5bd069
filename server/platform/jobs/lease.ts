import { type Kysely, sql } from 'kysely';
import type { DB } from '../database-types.ts';
import type { Logger } from '../log.ts';
import { deadAfterMs } from '../process-registry.ts';

export interface Singleton {
  name: string;
  everyMs: number;
  run(): Promise<void>;
}

/** Takes or renews the lease; false while another live process holds it. The lease of a killed process is free before it expires. */
export async function holdLease(db: Kysely<DB>, name: string, holder: string, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    insert into leases (name, holder, until) values (${name}, ${holder}, now() + make_interval(secs => ${seconds}))
    on conflict (name) do update set holder = excluded.holder, until = excluded.until
    where leases.holder = excluded.holder or leases.until < now() or not exists (
      select from processes where id = leases.holder and heartbeat_at > now() - make_interval(secs => ${deadAfterMs / 1000}))
    returning holder`.execute(db);
  return rows.length === 1;
}

/**
 * A lease of work that runs every second is renewed less often: each renewal is a write to disk. Leases last for five seconds more than two
 * turns, and the time of day also counts a machine that slept.
 */
const renewEveryMs = 3000;

/** Tasks that run every second record it every five seconds: the row is only for display. */
const noteEveryMs = 5000;

const noteRun = (db: Kysely<DB>, name: string, everyMs: number, error: string | null) =>
  sql`
    insert into periodic_tasks as task (name, every_ms, last_run_at, last_error, last_error_at)
    values (${name}, ${everyMs}, now(), ${error}, case when ${error}::text is null then null else now() end)
    on conflict (name) do update set every_ms = excluded.every_ms, last_run_at = excluded.last_run_at, last_error = excluded.last_error,
      last_error_at = coalesce(excluded.last_error_at, task.last_error_at)`.execute(db);

/** Releases the leases with this prefix: the next process need not wait until this one counts as dead. */
export const releaseLeases = (db: Kysely<DB>, holder: string, prefix: string) =>
  sql`delete from leases where holder = ${holder} and starts_with(name, ${prefix})`.execute(db);

/** Runs work that only one live process at a time may do: any number of copies is safe. */
export function runSingletons(db: Kysely<DB>, holder: string, singletons: Singleton[], log: Logger): { stop(): Promise<void> } {
  const loops = singletons.map(({ name, everyMs, run }) => {
    let last: Promise<void> = Promise.resolve();
    let isRunning = false;
    let noted = { at: Number.NEGATIVE_INFINITY, error: null as string | null };
    const note = async (error: string | null) => {
      if (error === noted.error && performance.now() - noted.at < noteEveryMs) return;
      noted = { at: performance.now(), error };
      await noteRun(db, name, everyMs, error);
    };
    let renewedAt = 0;
    const isHeld = async () => {
      const now = Date.now();
      if (now >= renewedAt && now - renewedAt < renewEveryMs) return true;
      const isMine = await holdLease(db, name, holder, (everyMs * 2) / 1000 + 5);
      renewedAt = isMine ? now : 0;
      return isMine;
    };
    const turn = async () => {
      if (!(await isHeld())) return;
      try {
        await run();
      } catch (error) {
        await note(error instanceof Error ? error.message : String(error)).catch(() => {});
        throw error;
      }
      await note(null);
    };
    const timer = setInterval(() => {
      if (isRunning) return;
      isRunning = true;
      last = turn()
        .catch((error: Error) => log.warn({ err: error.message, singleton: name }, 'periodic work failed'))
        .finally(() => {
          isRunning = false;
        });
    }, everyMs);
    return async () => {
      clearInterval(timer);
      await last;
    };
  });
  return {
    async stop() {
      await Promise.all(loops.map((stop) => stop()));
      await sql`delete from leases where holder = ${holder}`.execute(db).catch(() => {});
    },
  };
}
