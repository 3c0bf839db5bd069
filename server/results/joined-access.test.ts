import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import type { QueryOptions } from '@telltale/domain/parameters/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { runAdHoc, runSaved } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';
import { forgetUnusedResults } from './upkeep.ts';

/** Ann may see the vault, Mallory may not; both write queries that join results. */
const app = await testApp({ env: { DATABASE_URL: 'postgres://elsewhere/db' } });
await app.startWorker();
const target = await targetDatabase();
const vaultGroup = await app.make.group();
const ann = await app.make.user({ group_ids: [vaultGroup.id] });
const mallory = await app.make.user();
const vault = await app.make.dataSource({ options: target.options, groups: { [vaultGroup.id]: false } });
const open = await app.make.dataSource({ options: target.options });
const joining = await app.make.dataSource({ type: 'results' });

type Parameters = QueryOptions['parameters'];
const make = (who: { id: number }, data_source_id: number, query: string, parameters: Parameters = []) =>
  app.make.query({ data_source_id, user_id: who.id, query, options: { parameters } });
const secret = await make(ann, vault.id, `select 'canary' as word`);
const n = (value: unknown): Parameters => [{ name: 'n', title: 'n', type: 'number', value } as Parameters[number]];
const join = (who: { api_key: string }, query: string) => runAdHoc(app.as(who), { data_source_id: joining.id, query });
/** The token of a dashboard with these queries on it. */
async function tokenOf(who: { id: number; api_key: string }, ...queries: { visualization_id: number }[]) {
  const { id } = await app.make.dashboard({ user_id: who.id, is_draft: false });
  for (const { visualization_id } of queries) await app.make.widget({ dashboard_id: id, visualization_id });
  return app.as(await app.as(who).get(dashboardsApi.share, { params: { id }, body: {} }));
}
const setText = (id: number, query: string) => sql`update queries set query = ${query} where id = ${id}`.execute(app.ctx.db);

const refusal = { status: 403, error: `You do not have access to query id ${secret.id}.` };

describe('W10: the checked text is the text that runs', () => {
  test.each([
    ['a number behind the name', 'select * from query_{{ n }}', n(secret.id)],
    ['the whole name', 'select * from {{ n }}', [{ name: 'n', title: 'n', type: 'text', value: `query_${secret.id}` }]],
    ['a quoted name', 'select * from "{{ n }}"', [{ name: 'n', title: 'n', type: 'text', value: `query_${secret.id}` }]],
  ])('a joined query does not choose another one by a saved value: %s', async (_, text, parameters) => {
    const [hers, ours] = [
      await make(mallory, joining.id, text, parameters as Parameters),
      await make(ann, joining.id, text, parameters as Parameters),
    ];
    for (const name of [`query_${hers.id}`, `param_query_${hers.id}_{n=${parameters[0]?.value}}`, `query_${ours.id}`]) {
      const ran = await join(mallory, `select * from ${name}`);
      expect(ran.status, name).toBe(403);
      expect(JSON.stringify(ran), name).not.toContain('canary');
    }
    expect((await join(ann, `select * from query_${ours.id}`)).rows).toEqual([{ word: 'canary' }]);
  });

  test('nor by a value that comes through two of them', async () => {
    const chooser = await make(mallory, joining.id, 'select * from query_{{ n }}', n(secret.id));
    const between = await make(mallory, joining.id, `select * from param_query_${chooser.id}_{n={{ n }}}`, n(1));
    const ran = await join(mallory, `select * from param_query_${between.id}_{n=${secret.id}}`);
    expect(ran).toMatchObject(refusal);
  });

  test('what somebody else’s run has stored is not joined, whatever its query says now', async () => {
    const filled = await make(ann, joining.id, `select * from query_${secret.id}`);
    expect((await runSaved(app.as(ann), filled.id)).rows).toEqual([{ word: 'canary' }]);
    expect((await join(mallory, `select * from cached_query_${filled.id}`)).status).toBe(403);
    await setText(filled.id, 'select 1');
    const ran = await join(mallory, `select * from cached_query_${filled.id}`);
    expect(ran.status).toBe(403);
    expect((await join(ann, `select * from cached_query_${filled.id}`)).rows).toEqual([{ word: 'canary' }]);
  });

  test('a stored result is not opened by changing what it was joined from', async () => {
    const inner = await make(ann, joining.id, `select * from query_${secret.id}`);
    const { query_result } = await join(ann, `select * from query_${inner.id}`);
    await setText(inner.id, 'select 1 as n');
    const path = `/api/query_results/${query_result?.id}`;
    expect((await app.as(mallory).fetch(path)).status).toBe(403);
    expect((await app.as(ann).fetch(path)).status).toBe(200);
  });

  test('what changes between the question and the run is checked again when it runs', async () => {
    const gate = await target.gate();
    const slow = await make(mallory, open.id, `select ${gate.waits} as waited`);
    const inner = await make(mallory, joining.id, 'select 1 as n');
    const waiting = join(mallory, `select * from query_${slow.id}, query_${inner.id}`);
    await expect.poll(async () => (await target.running()).some((text) => text.includes(gate.waits))).toBe(true);
    await setText(inner.id, `select * from query_${secret.id}`);
    await gate.open();
    expect((await waiting).error).toBe(refusal.error);
  });

  test('a viewer of a shared dashboard cannot choose the joined results, on any level', async () => {
    const harmless = await make(ann, open.id, `select 'harmless' as word`);
    const chooser = await make(ann, joining.id, 'select * from query_{{ n }}', n(harmless.id));
    const shown = await make(ann, joining.id, `select * from param_query_${chooser.id}_{n={{ n }}}`, n(harmless.id));
    const filter = await make(ann, joining.id, `select word from query_${harmless.id} where {{ n }} = 7`, n(1));
    const filtered = await make(ann, joining.id, `select * from param_query_${filter.id}_{n={{ n }}}`, n(1));
    const guest = await tokenOf(ann, shown, filtered);
    expect((await runSaved(guest, filtered.id, { parameters: { n: 7 } })).rows).toEqual([{ word: 'harmless' }]);
    const ran = await runSaved(guest, shown.id, { parameters: { n: secret.id } });
    expect(ran).toMatchObject({ status: 403, job: { status: 4, error: 'This dashboard does not show this query with these values.' } });
  });

  test('somebody who changes a query that others join gets no more rights by them', async () => {
    const inner = await make(mallory, joining.id, 'select 1 as n');
    const outer = await make(ann, joining.id, `select * from query_${inner.id}`);
    const guest = await tokenOf(ann, outer, inner);
    expect((await runSaved(app.as(outer), outer.id)).rows).toEqual([{ n: 1 }]);
    await setText(inner.id, `select * from query_${secret.id}`);
    const refused = `Query ${inner.id} joins results that those responsible for it may not read.`;
    expect((await runSaved(app.as(ann), inner.id)).rows).toEqual([{ word: 'canary' }]);
    for (const name of [`query_${inner.id}`, `cached_query_${inner.id}`])
      expect(await join(ann, `select * from ${name}`), name).toMatchObject({ status: 403, error: refused });
    for (const [reader, { id }] of [
      [app.as(outer), outer],
      [guest, outer],
      [guest, inner],
    ] as const) {
      for (const max_age of [0, -1]) expect((await runSaved(reader, id, { max_age })).status).toBe(403);
    }
    expect((await guest.fetch(`/api/queries/${inner.id}/results`)).status).toBe(403);
  });

  test('no query is built on its own result by a value, nor over too many levels', async () => {
    const circle = await make(mallory, joining.id, 'select * from query_{{ n }}', n(1));
    const options = JSON.stringify({ parameters: n(circle.id) });
    await sql`update queries set options = ${options}::jsonb where id = ${circle.id}`.execute(app.ctx.db);
    expect((await join(mallory, `select * from query_${circle.id}`)).error).toBe(`Query ${circle.id} is built on its own result.`);
    let id = (await make(mallory, joining.id, 'select 1 as n')).id;
    for (let level = 0; level < 6; level++) id = (await make(mallory, joining.id, 'select * from query_{{ n }}', n(id))).id;
    expect((await join(mallory, `select * from query_${id}`)).error).toBe('Results are joined over too many levels.');
  });
});

describe('W10: a joined result is readable by callers who may read all of its parts, on every way', () => {
  const filled = async (who = ann) => {
    const query = await make(who, joining.id, `select * from query_${secret.id}`);
    expect((await runSaved(app.as(ann), query.id)).rows).toEqual([{ word: 'canary' }]);
    return query;
  };
  const read = async (client: { fetch(path: string): Promise<Response> }, id: number, form = 'results') =>
    (await client.fetch(`/api/queries/${id}/${form}`)).status;

  test('the key of a query is hidden from users without access to its results', async () => {
    const query = await filled();
    const told = async (who: { api_key: string }, { id } = query) =>
      ((await app.as(who).get(queriesApi.get, { params: { id } })) as { api_key?: string }).api_key;
    expect([await told(ann), await told(app.admin), await told(mallory)]).toEqual([query.api_key, expect.any(String), undefined]);
    const unread = await make(ann, joining.id, `select * from cached_query_${secret.id}, query_${secret.id}`);
    expect(await told(mallory, unread)).toBeUndefined();
    expect([await read(app.as(ann), query.id), await read(app.as(mallory), query.id)]).toEqual([200, 403]);
    for (const form of ['results', 'results.csv', 'results.xlsx']) expect(await read(app.as(query), query.id, form), form).toBe(200);
  });

  test('a key opens results that the query’s owner and its author may read', async () => {
    const [hers, written] = [await filled(mallory), await filled()];
    expect(await read(app.as(hers), hers.id)).toBe(403);
    await sql`insert into query_versions (query_id, version, user_id, fields, name, query, options, tags, is_draft, is_archived)
      select id, text_version, ${mallory.id}, '{query}', name, query, options, tags, is_draft, is_archived from queries
      where id = ${written.id}`.execute(app.ctx.db);
    expect(await read(app.as(written), written.id)).toBe(403);
  });

  test('a copy brings no result along that its maker may not read', async () => {
    const query = await filled();
    const copy = await app.as(mallory).get(queriesApi.fork, { params: { id: query.id } });
    expect(copy.latest_query_data_id).toBeNull();
    expect(await read(app.as({ api_key: copy.api_key ?? '' }), copy.id)).toBe(404);
    expect((await app.as(ann).get(queriesApi.fork, { params: { id: query.id } })).latest_query_data_id).not.toBeNull();
  });

  test('a shared dashboard shows the results that its sharer may read', async () => {
    const query = await filled();
    const [hers, ours] = [await tokenOf(mallory, query), await tokenOf(ann, query)];
    for (const form of ['results', 'results.csv']) {
      expect([await read(hers, query.id, form), await read(ours, query.id, form)], form).toEqual([403, 200]);
    }
  });
});

describe('W10: choices of a dropdown', () => {
  const offering = ({ id }: { id: number }): Parameters => [{ name: 'w', title: 'w', type: 'query', queryId: id, value: null } as never];
  const choices = async (who: { api_key: string }, path: string) => {
    const response = await app.as(who).fetch(`/api/queries/${path}`);
    return response.ok ? response.json() : response.status;
  };
  const words = [{ name: 'canary', value: 'canary' }];

  test('are closed to users without access to the result, also by a query of their own', async () => {
    const filled = await make(ann, joining.id, `select * from query_${secret.id}`);
    await runSaved(app.as(ann), filled.id);
    expect(await choices(ann, `${filled.id}/dropdown`)).toEqual(words);
    expect(await choices(mallory, `${filled.id}/dropdown`)).toBe(403);
    const own = await make(mallory, open.id, 'select {{ w }} as w', offering(filled));
    expect(await choices(mallory, `${own.id}/dropdowns/${filled.id}`)).toBe(403);
    expect(await choices(mallory, `${secret.id}/dropdowns/${filled.id}`)).toBe(403);
    const body = { name: 'x', query: 'select {{ w }} as w', data_source_id: open.id, options: { parameters: offering(filled) } };
    expect((await app.as(mallory).call(queriesApi.create, { body })).status).toBe(403);
    expect((await app.as(ann).call(queriesApi.create, { body })).status).toBe(200);
  });

  test("are not shown through another user's query to an author without access", async () => {
    const hers = await make(mallory, joining.id, `select * from query_${secret.id}`);
    await runSaved(app.as(ann), hers.id);
    const offered = await make(ann, open.id, 'select {{ w }} as w', offering(hers));
    expect(await choices(ann, `${offered.id}/dropdowns/${hers.id}`)).toEqual(words);
    expect([
      await choices(mallory, `${offered.id}/dropdowns/${hers.id}`),
      await choices(offered, `${offered.id}/dropdowns/${hers.id}`),
    ]).toEqual([403, 403]);
  });

  test('come with the query that offers them, when its owner may read them', async () => {
    const filled = await make(ann, joining.id, `select * from query_${secret.id}`);
    await runSaved(app.as(ann), filled.id);
    const offered = await make(ann, open.id, 'select {{ w }} as w', offering(filled));
    expect(await choices(mallory, `${offered.id}/dropdowns/${filled.id}`)).toEqual(words);
  });
});

describe('W10: a query that joins results, by its own key', () => {
  const notShared = { status: 403, job: { status: 4, error: 'This query joins results that are not shared.' } };

  test('runs with the rights of its responsible users', async () => {
    const text = `select word from query_${secret.id}`;
    const [hers, ours] = [await make(mallory, joining.id, text), await make(ann, joining.id, text)];
    expect((await runSaved(app.as(ours), ours.id)).rows).toEqual([{ word: 'canary' }]);
    // Users without access do not find what is stored for users with access.
    for (const max_age of [0, -1]) {
      const ran = await runSaved(app.as(hers), hers.id, { max_age });
      expect(ran).toMatchObject(notShared);
      expect(JSON.stringify(ran)).not.toMatch(new RegExp(`canary|\\b${secret.id}\\b`));
    }
    const again = await runSaved(app.as(ours), ours.id, { max_age: -1 });
    expect([again.shape, again.rows]).toEqual([['query_result'], [{ word: 'canary' }]]);
  });

  test('does not let its holder choose the joined results', async () => {
    const chooser = await make(ann, joining.id, 'select * from query_{{ n }}', n(secret.id));
    expect(await runSaved(app.as(chooser), chooser.id, { parameters: { n: secret.id } })).toMatchObject(notShared);
  });
});

describe('what a run leaves behind', () => {
  const count = async () => (await sql<{ n: number }>`select count(*)::int as n from query_results`.execute(app.ctx.db)).rows[0]?.n ?? 0;

  test('only its own result: what it joined was made for it alone', async () => {
    const [few, many] = [
      await make(ann, open.id, 'select 1 as i'),
      await make(ann, open.id, 'select i, md5(i::text) from generate_series(1, 70000) i'),
    ];
    const nested = await make(ann, joining.id, `select count(*) as c from query_${many.id}`);
    const before = await count();
    const ran = await join(ann, `select * from query_${few.id}, query_${nested.id}, param_query_${few.id}_{x=1}`);
    expect(ran.error).toBe('');
    expect(await count()).toBe(before + 1);
  });

  test('nothing that stays when its process is killed: what it joins is never a finished result', async () => {
    const gate = await target.gate();
    const [few, slow] = [await make(ann, open.id, 'select 1 as i'), await make(ann, open.id, `select ${gate.waits} as waited`)];
    const unfinished = () => sql`select from query_results where not is_complete`.execute(app.ctx.db);
    const running = join(ann, `select * from query_${few.id}, query_${slow.id}`);
    await expect.poll(async () => (await unfinished()).rows.length).toBe(1);
    await sql`update query_results set retrieved_at = now() - interval '4 hours' where not is_complete`.execute(app.ctx.db);
    await forgetUnusedResults(app.ctx);
    expect((await unfinished()).rows).toHaveLength(0);
    await gate.open();
    await running;
  });

  test('nothing when one of those it joins fails, or the join itself', async () => {
    const many = await make(ann, open.id, 'select i, md5(i::text) from generate_series(1, 70000) i');
    const broken = await make(ann, open.id, 'select nothing');
    const before = await count();
    expect((await join(ann, `select * from query_${many.id}, query_${broken.id}`)).error).toContain('nothing');
    expect((await join(ann, `select nowhere from query_${many.id}`)).error).toContain('nowhere');
    expect(await count()).toBe(before);
  });
});

test('a deleted account is responsible for nothing; saving the text anew makes its author responsible', async () => {
  const [leaver, heir] = [await app.make.user(), await app.make.user()];
  const leaf = await make(ann, open.id, 'select 7 as n');
  const inner = await app.as(leaver).get(queriesApi.create, {
    body: { name: 'Inner', query: `select n from query_${leaf.id}`, data_source_id: joining.id, is_draft: false },
  });
  const ask = () => join(heir, `select * from query_${inner.id}`);
  expect((await ask()).rows).toEqual([{ n: 7 }]);
  await app.as(app.admin).get(usersApi.disable, { params: { id: leaver.id } });
  expect((await ask()).error).toContain('Save its text anew');
  await app.as(app.admin).get(queriesApi.save, { params: { id: inner.id }, body: { query: `select n + 1 as n from query_${leaf.id}` } });
  expect((await ask()).rows).toEqual([{ n: 8 }]);
});

const readJob = async (id: string) => (await (await app.as(ann).fetch(`/api/jobs/${id}`)).json()) as { job: { status: number } };

describe('server-behaviour 18.2: joined queries follow the rules of their source', () => {
  test('not while the source is paused; stored results may still be joined', async () => {
    const source = await app.make.dataSource({ name: 'The pump house', options: target.options });
    const query = await make(ann, source.id, 'select 7 as n');
    await runSaved(app.as(ann), query.id);
    await app.as(app.admin).get(dataSourcesApi.pause, { params: { id: source.id }, body: { reason: 'repairs' } });
    const nested = await make(ann, joining.id, `select * from query_${query.id}`);
    for (const name of [`query_${query.id}`, `param_query_${query.id}_{x=1}`, `query_${nested.id}`])
      expect((await join(ann, `select * from ${name}`)).error, name).toBe('The pump house is paused (repairs). Please try later.');
    expect((await join(ann, `select * from cached_query_${query.id}`)).rows).toEqual([{ n: 7 }]);
  });

  test('in the places that the source has, so that what comes next waits for one', async () => {
    const gate = await target.gate();
    const held = await make(ann, open.id, `select ${gate.waits} as held, {{ n }} as n`, n(1));
    const joined = Array.from({ length: 6 }, (_, i) =>
      join(i % 2 ? ann : mallory, `select ${i} as i from param_query_${held.id}_{n=${i}}`),
    );
    await expect.poll(async () => (await sql`select from jobs where status = 2`.execute(app.ctx.db)).rows.length).toBe(6);
    await expect.poll(async () => (await target.running()).length).toBeGreaterThan(3);
    const body = { data_source_id: open.id, query: 'select 1 as n', max_age: 0 };
    const first = (await (await app.as(ann).json('POST', '/api/query_results', body)).json()) as { job: { id: string; status: number } };
    expect(first.job.status).toBe(1);
    await gate.open();
    expect((await Promise.all(joined)).map(({ rows }) => rows)).toEqual(joined.map((_, i) => [{ i }]));
    const status = async () => (await readJob(first.job.id)).job.status;
    await expect.poll(status).toBe(3);
  });

  test('within the time of the run that joins it', async () => {
    const tight = await testApp({ env: { DATABASE_URL: 'postgres://elsewhere/db', TELLTALE_QUERY_SECONDS: '2' } });
    await tight.startWorker();
    const source = await tight.make.dataSource({ options: target.options });
    const { id } = await tight.make.dataSource({ type: 'results' });
    const nap = await tight.make.query({ data_source_id: source.id, user_id: 1, query: 'select pg_sleep(60)::text as slept' });
    const nested = await tight.make.query({ data_source_id: id, user_id: 1, query: `select * from query_${nap.id}` });
    const ran = await runAdHoc(tight.as(tight.admin), { data_source_id: id, query: `select * from query_${nested.id}` });
    expect(ran.error).toBe('This took longer than 2 seconds and was stopped.');
    expect((await sql`select from query_results`.execute(tight.ctx.db)).rows).toEqual([]);
    await expect.poll(async () => (await target.running()).filter((text) => text.includes('pg_sleep(60)'))).toEqual([]);
  });

  test('and never waits for a place that it holds itself', async () => {
    const leaf = await make(ann, open.id, 'select pg_sleep(0.2)::text as slept');
    const inner = await make(ann, joining.id, `select slept from query_${leaf.id}`);
    const outer = await make(ann, joining.id, `select slept from query_${inner.id}`);
    const ran = await Promise.all(Array.from({ length: 12 }, (_, i) => join(ann, `select ${i} as i from query_${outer.id}`)));
    expect(ran.map(({ rows }) => rows)).toEqual(Array.from({ length: 12 }, (_, i) => [{ i }]));
  });
});
