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

describe('design 2: what only one may do', () => {
  test('of twenty at the same moment one gets the lease, and keeps it', async () => {
    const holders = Array.from({ length: 20 }, () => randomUUID());
    const got = await Promise.all(holders.map((holder) => holdLease(db, 'test', holder, 60)));
    expect(got.filter(Boolean)).toHaveLength(1);
    const owner = holders[got.indexOf(true)] ?? '';
    expect(await holdLease(db, 'test', owner, 60)).toBe(true);
    expect(await holdLease(db, 'test', randomUUID(), 60)).toBe(false);
  });

  test('an expired lease goes to the next who asks, and its old holder has lost it', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    await holdLease(db, 'expiring', first, 60);
    await sql`update leases set until = now() - interval '1 second' where name = 'expiring'`.execute(db);
    expect(await holdLease(db, 'expiring', second, 60)).toBe(true);
    expect(await holdLease(db, 'expiring', first, 60)).toBe(false);
  });

  test('three processes: one works, and when it stops another takes over at once', async () => {
    const turns: string[] = [];
    const start = (name: string) =>
      runSingletons(
        db,
        randomUUID(),
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
    const a = start('a');
    await wait(200);
    const others = [start('b'), start('c')];
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
});
