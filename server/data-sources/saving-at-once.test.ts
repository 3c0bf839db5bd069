import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const admin = app.as(app.admin);
const optionsAt = (host: string) => ({ host, port: 5432, user: 'reader', dbname: 'sales' });

async function versionOf(id: number): Promise<number | undefined> {
  return (await sql<{ version: number }>`select version from data_sources where id = ${id}`.execute(app.ctx.db)).rows[0]?.version;
}

async function countWaiting(): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%data_sources%'`.execute(
    app.ctx.db,
  );
  return rows.length;
}

test('of two who save a source at once each gets a version of their own: results of one place never pass for those of another', async () => {
  const source = await app.make.dataSource({ options: optionsAt('old.example.com') });
  const before = (await versionOf(source.id)) ?? 0;
  const save = (host: string) =>
    admin.call(dataSourcesApi.save, { params: { id: source.id }, body: { name: source.name, type: 'pg', options: optionsAt(host) } });
  const { saves } = await app.ctx.transaction(async (tx) => {
    await sql`select from data_sources where id = ${source.id} for update`.execute(tx.db);
    const saves = [save('new.example.com')];
    await expect.poll(countWaiting).toBe(1);
    // This save comes from a form that still shows the old host.
    saves.push(save('old.example.com'));
    await expect.poll(countWaiting).toBe(2);
    return { saves };
  });
  expect((await Promise.all(saves)).map(({ status }) => status)).toEqual([200, 200]);
  expect(await versionOf(source.id)).toBe(before + 2);
});
