import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

/** Counts in the window of this key and returns the current number: one statement, so parallel attempts all count. */
export async function countInWindow(db: Db, key: string, windowSeconds: number): Promise<number> {
  const { rows } = await sql<Columns<'attempts', 'count'>>`
    insert into attempts (key, count, window_ends_at)
    values (${key}, 1, now() + make_interval(secs => ${windowSeconds}))
    on conflict (key) do update set
      count = case when attempts.window_ends_at < now() then 1 else attempts.count + 1 end,
      window_ends_at = case when attempts.window_ends_at < now() then excluded.window_ends_at else attempts.window_ends_at end
    returning count`.execute(db);
  return rows[0]?.count ?? 1;
}

export const countOneLess = (db: Db, key: string) => sql`update attempts set count = greatest(0, count - 1) where key = ${key}`.execute(db);

export const deleteCount = (db: Db, key: string) => sql`delete from attempts where key = ${key}`.execute(db);
