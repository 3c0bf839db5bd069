import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { runAdHoc, runSaved } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';
import { refreshDueQueries } from './scheduled-runs.ts';

/** W17: a source with writes allowed, and users with view access only. */
const app = await testApp({ env: { DATABASE_URL: 'postgres://elsewhere/db' } });
await app.startWorker();
const target = await targetDatabase();
await target.query('create table notes (note text)');
const [writers, viewers] = [await app.make.group(), await app.make.group()];
const writer = await app.make.user({ group_ids: [writers.id] });
const viewer = await app.make.user({ group_ids: [viewers.id] });
const source = await app.make.dataSource({
  options: { ...target.options, allow_writes: true },
  groups: { [writers.id]: false, [viewers.id]: true },
});
const joining = await app.make.dataSource({ type: 'results', groups: { [writers.id]: false } });
const write = (note: string, who = writer) =>
  app.make.query({
    data_source_id: source.id,
    user_id: who.id,
    query: `insert into notes values ('${note}') returning note`,
  });
const notes = async () => (await target.query('select note from notes order by note')).map(({ note }) => note);
/** Key readers get a generic error: details are for the query's owner. */
const untold = 'This query failed. Its owner can see why.';
const refusal = 'Only people with full access to this data source may run statements that write.';

describe('W17: writes are for people with full access', () => {
  test('full access writes; view-only access and keys only read', async () => {
    const query = await write('one');
    expect((await runSaved(app.as(writer), query.id, { max_age: 0 })).rows).toEqual([{ note: 'one' }]);
    expect((await runSaved(app.as(viewer), query.id, { max_age: 0 })).error).toBe(refusal);
    expect((await runSaved(app.as(query), query.id, { max_age: 0 })).error).toBe(untold);
    expect(await notes()).toEqual(['one']);
    const reading = await app.make.query({
      data_source_id: source.id,
      user_id: writer.id,
      query: 'select note from notes',
    });
    for (const who of [writer, viewer, reading]) {
      expect((await runSaved(app.as(who), reading.id, { max_age: 0 })).rows).toEqual([{ note: 'one' }]);
    }
  });

  test('nobody writes by joining somebody else’s run, and nobody’s write fails because somebody looked', async () => {
    const query = await write('two');
    const ran = await Promise.all([viewer, writer, viewer, query].map((who) => runSaved(app.as(who), query.id, { max_age: 0 })));
    expect(ran.map(({ error }) => error)).toEqual([refusal, '', refusal, untold]);
    expect((await notes()).filter((note) => note === 'two')).toHaveLength(1);
  });

  test('joined results are only read', async () => {
    const query = await write('three');
    expect((await runAdHoc(app.as(writer), { data_source_id: joining.id, query: `select * from query_${query.id}` })).error).toContain(
      refusal,
    );
    expect(await notes()).not.toContain('three');
  });

  test('a schedule writes for users with full access, and not for an owner who lost it', async () => {
    const [ours, theirs] = [await write('four'), await write('five', viewer)];
    await sql`update queries set schedule = '{"interval": 3600}', next_run_at = now() - interval '1 minute' where id in (${ours.id}, ${theirs.id})`.execute(
      app.ctx.db,
    );
    await refreshDueQueries(app.ctx);
    const open = () => sql`select from queries where scheduled_job_id is not null`.execute(app.ctx.db);
    await expect.poll(async () => (await open()).rows.length).toBe(0);
    expect(await notes()).toContain('four');
    expect(await notes()).not.toContain('five');
  });
});
