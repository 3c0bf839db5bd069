import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

const keyOf = (kind: string, subject: string) => `${kind} ${createHash('sha256').update(subject).digest('base64url')}`;

/** Counts an attempt in its window and answers how many there are now: one statement, so parallel attempts all count. */
export async function countAttempt(db: Db, kind: string, subject: string, windowSeconds: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    insert into attempts (key, count, window_ends_at)
    values (${keyOf(kind, subject)}, 1, now() + make_interval(secs => ${windowSeconds}))
    on conflict (key) do update set
      count = case when attempts.window_ends_at < now() then 1 else attempts.count + 1 end,
      window_ends_at = case when attempts.window_ends_at < now() then excluded.window_ends_at else attempts.window_ends_at end
    returning count`.execute(db);
  return rows[0]?.count ?? 1;
}

/** Only failures count (design 8): a success takes its own attempt back. */
export async function forgiveAttempt(db: Db, kind: string, subject: string): Promise<void> {
  await sql`update attempts set count = greatest(0, count - 1) where key = ${keyOf(kind, subject)}`.execute(db);
}

export async function forgetAttempts(db: Db, kind: string, subject: string): Promise<void> {
  await sql`delete from attempts where key = ${keyOf(kind, subject)}`.execute(db);
}
