import { type Kysely, sql } from 'kysely';
import type { DB } from '../database-types.ts';
import type { Logger } from '../log.ts';
import { deadAfterMs } from '../process-registry.ts';

export interface Singleton {
  name: string;
  everyMs: number;
  run(): Promise<void>;
}

/** Takes the lease or keeps it; false while somebody else holds it who is alive: a killed process keeps nobody waiting for its hour to end. */
export async function holdLease(db: Kysely<DB>, name: string, holder: string, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    insert into leases (name, holder, until) values (${name}, ${holder}, now() + make_interval(secs => ${seconds}))
    on conflict (name) do update set holder = excluded.holder, until = excluded.until
    where leases.holder = excluded.holder or leases.until < now() or not exists (
      select from processes where id = leases.holder and heartbeat_at > now() - make_interval(secs => ${deadAfterMs / 1000}))
    returning holder`.execute(db);
  return rows.length === 1;
}

/** Work that only one process at a time may do, whichever is alive: any number of copies is safe. */
export function runSingletons(db: Kysely<DB>, holder: string, singletons: Singleton[], log: Logger): { stop(): Promise<void> } {
  const loops = singletons.map(({ name, everyMs, run }) => {
    let last: Promise<void> = Promise.resolve();
    let isRunning = false;
    const turn = async () => {
      if (await holdLease(db, name, holder, (everyMs * 2) / 1000 + 5)) await run();
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
