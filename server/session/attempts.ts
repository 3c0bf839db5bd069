import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

const keyOf = (kind: string, subject: string) => `${kind} ${createHash('sha256').update(subject).digest('base64url')}`;

/** Whom an address belongs to: one customer has a whole /64 of IPv6 addresses to come from. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped || isIP(address) !== 6) return mapped ?? address;
  const [head = [], tail = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

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
