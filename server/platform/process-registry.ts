import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Columns } from './database.ts';
import type { DB } from './database-types.ts';
import type { Logger } from './log.ts';
import type { RoleName } from './role.ts';

const beatEveryMs = 1000;
/** A process that has been silent for this long counts as absent (design 8: told within 5 s). */
export const silentAfterMs = 4000;
/** After this time the work of a process is given to others (design 9). */
export const deadAfterMs = 10_000;

export interface ProcessEntry {
  id: string;
  /** Facts that the next heartbeats report. */
  report: {
    state: 'started' | 'busy' | 'idle';
    current_job: string | null;
    successful_jobs: number;
    failed_jobs: number;
    working_ms: number;
  };
  stop(): Promise<void>;
}

/** Registers this process and records every second that it is alive; `/readyz` and the job screens read it. */
export async function joinRegistry(db: Kysely<DB>, role: RoleName, queues: string[], log: Logger): Promise<ProcessEntry> {
  const id = randomUUID();
  const report: ProcessEntry['report'] = { state: 'idle', current_job: null, successful_jobs: 0, failed_jobs: 0, working_ms: 0 };
  const beat = () =>
    sql`
    insert into processes (id, role, hostname, pid, queues, state)
    values (${id}, ${role}, ${hostname()}, ${process.pid}, ${queues}, ${report.state})
    on conflict (id) do update set heartbeat_at = now(), state = excluded.state, current_job = ${report.current_job},
      successful_jobs = ${report.successful_jobs}, failed_jobs = ${report.failed_jobs}, total_working_ms = ${Math.round(report.working_ms)}`.execute(
      db,
    );
  await beat();
  let last: Promise<unknown> = Promise.resolve();
  let isBeating = false;
  const timer = setInterval(() => {
    if (isBeating) return;
    isBeating = true;
    last = beat()
      .catch((error: Error) => log.warn({ err: error.message }, 'could not report being alive'))
      .finally(() => {
        isBeating = false;
      });
  }, beatEveryMs);
  return {
    id,
    report,
    async stop() {
      clearInterval(timer);
      await last;
      await sql`delete from processes where id = ${id}`.execute(db);
    },
  };
}

/** Marks a role dead whose exit the parent saw, so that its silence need not be noticed first. */
export async function markProcessDead(databaseUrl: string, pid: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query("update console.processes set heartbeat_at = '-infinity' where pid = $1 and hostname = $2", [pid, hostname()]);
  } finally {
    await client.end();
  }
}

/** The roles that have a live process. */
export async function aliveRoles(db: Kysely<DB>): Promise<Set<string>> {
  const { rows } = await sql<Columns<'processes', 'role'>>`
    select distinct role from processes where heartbeat_at > now() - make_interval(secs => ${silentAfterMs / 1000})`.execute(db);
  return new Set(rows.map((row) => row.role));
}
