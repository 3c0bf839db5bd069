import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();

describe('statements that are planned once', () => {
  test('a text that comes again and again has one plan on its connection, and answers as before', async () => {
    const { answers, plans } = await app.ctx.transaction(async (tx) => {
      const answers: number[] = [];
      for (let n = 0; n < 20; n++) {
        const { rows } = await sql<{ sum: number }>`select ${n}::int + 1 as sum`.execute(tx.db);
        answers.push(rows[0]?.sum ?? 0);
      }
      const { rows } = await sql<{ plans: number }>`
        select count(*)::int as plans from pg_prepared_statements where statement like 'select $1::int + 1 as sum%'`.execute(tx.db);
      return { answers, plans: rows[0]?.plans };
    });
    expect(answers).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    expect(plans).toBe(1);
  });

  test('several statements in one text still run, however often', async () => {
    for (let n = 0; n < 20; n++) {
      await app.ctx.transaction((tx) => sql`set local work_mem = '4MB'; set local enable_seqscan = on`.execute(tx.db));
    }
  });

  test('texts that are made anew each time leave no plans behind', async () => {
    const plans = await app.ctx.transaction(async (tx) => {
      for (let n = 0; n < 300; n++) await sql`select ${n}::int as ${sql.ref(`made_${n}`)}`.execute(tx.db);
      const { rows } = await sql<{ plans: number }>`
        select count(*)::int as plans from pg_prepared_statements where statement like '%"made_%'`.execute(tx.db);
      return rows[0]?.plans;
    });
    expect(plans).toBe(0);
  });
});
