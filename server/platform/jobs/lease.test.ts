import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { testApp } from '../../testing/test-app.ts';
import type { DB } from '../database-types.ts';
import { createLogger } from '../log.ts';
import { holdLease, runSingletons } from './lease.ts';

const app = await testApp();
const db = app.ctx.db as Kysely<DB>;

async function living(): Promise<string> {
  const id = randomUUID();
  await sql`insert into processes (id, role, hostname, pid, heartbeat_at) values (${id}, 'worker', 'test', 1, now() + interval '1 hour')`.execute(
    db,
  );
  return id;
}

describe('design 2: what only one may do', () => {
  test('of twenty at the same moment one gets the lease, and keeps it', async () => {
    const holders = await Promise.all(Array.from({ length: 20 }, living));
    const got = await Promise.all(holders.map((holder) => holdLease(db, 'test', holder, 60)));
    expect(got.filter(Boolean)).toHaveLength(1);
    const owner = holders[got.indexOf(true)] ?? '';
    expect(await holdLease(db, 'test', owner, 60)).toBe(true);
    expect(await holdLease(db, 'test', await living(), 60)).toBe(false);
  });

  test('an expired lease goes to the next who asks, and its old holder has lost it', async () => {
    const [first, second] = [await living(), await living()];
    await holdLease(db, 'expiring', first, 60);
    await sql`update leases set until = now() - interval '1 second' where name = 'expiring'`.execute(db);
    expect(await holdLease(db, 'expiring', second, 60)).toBe(true);
    expect(await holdLease(db, 'expiring', first, 60)).toBe(false);
  });

  test.each([
    ['has been silent for ten seconds', sql`heartbeat_at = now() - interval '11 seconds'`],
    ['was seen to die by its parent', sql`heartbeat_at = '-infinity'`],
  ])('hourly work of a process that %s goes to the next who asks, not an hour later', async (_, change) => {
    const [dead, next] = [await living(), await living()];
    const name = randomUUID();
    expect(await holdLease(db, name, dead, 7205)).toBe(true);
    expect(await holdLease(db, name, next, 7205)).toBe(false);
    await sql`update processes set ${change} where id = ${dead}`.execute(db);
    expect(await holdLease(db, name, next, 7205)).toBe(true);
    expect(await holdLease(db, name, await living(), 7205)).toBe(false);
  });

  test('a process that was forgotten altogether holds nothing', async () => {
    const [dead, next] = [await living(), await living()];
    expect(await holdLease(db, 'forgotten', dead, 7205)).toBe(true);
    await sql`delete from processes where id = ${dead}`.execute(db);
    expect(await holdLease(db, 'forgotten', next, 7205)).toBe(true);
  });

  test('three processes: one works, and when it stops another takes over at once', async () => {
    const turns: string[] = [];
    const start = async (name: string) =>
      runSingletons(
        db,
        await living(),
        [
          {
            name: 'shared work',
            everyMs: 20,
            run: async () => {
              turns.push(name);
              if (name === 'a' && turns.length % 3 === 0) throw new Error('a bad turn ends nothing');
            },
          },
        ],
        createLogger('silent'),
      );
    const a = await start('a');
    await wait(200);
    const others = [await start('b'), await start('c')];
    await wait(200);
    expect(new Set(turns)).toEqual(new Set(['a']));
    expect(turns.length).toBeGreaterThan(3);
    await a.stop();
    const before = turns.length;
    await wait(300);
    expect(new Set(turns.slice(before)).size).toBe(1);
    expect(turns.slice(before)).not.toContain('a');
    await Promise.all(others.map((other) => other.stop()));
  });

  test('a process whose lease was given to another stops the work at its next renewal, and leaves the lease', async () => {
    let turns = 0;
    const work = { name: 'given away', everyMs: 20, run: async () => void turns++ };
    const loop = runSingletons(db, await living(), [work], createLogger('silent'));
    await expect.poll(() => turns).toBeGreaterThan(0);
    const other = await living();
    await sql`update leases set holder = ${other}, until = now() + interval '1 hour' where name = 'given away'`.execute(db);
    const turnsMeanwhile = async () => {
      const before = turns;
      await wait(200);
      return turns - before;
    };
    await expect.poll(turnsMeanwhile).toBe(0);
    await loop.stop();
    expect(await holdLease(db, 'given away', other, 60)).toBe(true);
  });
});
