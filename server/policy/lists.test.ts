import type { AccessType } from '@telltale/domain/access/grants.ts';
import type { Person } from '@telltale/domain/access/identity.ts';
import { defaultPermissions, hasPermission } from '@telltale/domain/access/permissions.ts';
import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { type RawBuilder, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { insertGrant } from '../access/grants.store.ts';
import { getChannelRow } from '../channels/channels.ts';
import { findDashboard } from '../dashboards/dashboards.store.ts';
import { findDataSource } from '../data-sources/data-sources.store.ts';
import { getOrganization } from '../organizations/organizations.ts';
import { listQueriesById } from '../queries/queries.store.ts';
import { findPeople } from '../session/people.ts';
import { pick, random } from '../testing/random.ts';
import { testApp } from '../testing/test-app.ts';
import { builtInType } from './facts.ts';
import { may, whereMay } from './policy.ts';

/** Random users, groups, sources, queries, dashboards and grants: a list shows exactly the objects that the rule for one object allows. */
const app = await testApp();
const { db } = app.ctx;
const next = random(20_261_116);
const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id).toSorted((a, b) => a - b);
const chance = (part: number) => next() < part;
const some = <T>(items: readonly T[], part: number) => items.filter(() => chance(part));
const times = <T>(count: number, make: (i: number) => Promise<T>): Promise<T[]> =>
  Array.from({ length: count }).reduce<Promise<T[]>>(async (made, _, i) => [...(await made), await make(i)], Promise.resolve([]));

const groups = await times(6, () =>
  app.make.group({
    permissions: chance(0.5) ? defaultPermissions : some(defaultPermissions, 0.5).filter((each) => each !== 'view_channel'),
  }),
);
const users = await times(12, (i) =>
  app.make.user({ groups: i === 0 ? ['admin'] : chance(0.2) ? ['default'] : [], group_ids: some(groups, 0.3).map(({ id }) => id) }),
);
const sources = await times(10, (i) => {
  const links = some(groups, 0.3).map(({ id }) => [id, chance(0.5)] as const);
  return app.make.dataSource({ type: i < 2 ? builtInType : 'pg', groups: Object.fromEntries(links) });
});
const queries = await times(60, async () => {
  const { id, visualization_id } = await app.make.query({
    data_source_id: chance(0.1) ? null : pick(next, sources).id,
    user_id: pick(next, users).id,
  });
  await sql`update queries set is_draft = ${chance(0.5)} where id = ${id}`.execute(db);
  return { id, visualization_id };
});
const dashboards = await times(40, async () => {
  const dashboard = await app.make.dashboard({ user_id: pick(next, users).id, is_draft: chance(0.5) });
  for (const { visualization_id } of some(queries, 0.02)) await app.make.widget({ dashboard_id: dashboard.id, visualization_id });
  if (chance(0.3)) await app.make.widget({ dashboard_id: dashboard.id, text: 'A text' });
  return dashboard;
});
const accessTypes: AccessType[] = ['view', 'modify', 'delete'];
for (const [type, objects] of [['queries', ids(queries)] as const, ['dashboards', ids(dashboards)] as const]) {
  for (const id of some(objects, 0.5))
    await insertGrant(db, { type, id }, { access_type: pick(next, accessTypes), grantor: app.admin.id, grantee: pick(next, users).id });
}

await app.as(app.admin).get(channelsApi.create, { body: { channel_id: 'watched' } });
const { pk } = await getChannelRow(app.ctx, 'watched');
const { id: org_id } = await getOrganization(app.ctx);
const { rows: alertRows } = await sql<{ id: number; user_id: number; query_id: number | null }>`
  insert into alerts (org_id, user_id, kind, query_id, channel_pk, name, options)
  select ${org_id}::int, owner, case when query_id is null then 'silence' else 'query' end, query_id,
    case when query_id is null then ${pk}::int end, 'An alert', '{}'
  from jsonb_to_recordset(${JSON.stringify(
    Array.from({ length: 40 }, () => ({ owner: pick(next, users).id, query_id: chance(0.2) ? null : pick(next, queries).id })),
  )}::jsonb) as made(owner int, query_id int)
  returning id, user_id, query_id`.execute(db);

const people = await findPeople(
  app.ctx,
  users.map(({ id }) => id),
);
const queryRows = await listQueriesById(
  db,
  queries.map(({ id }) => id),
);
const sourceRows = (await Promise.all(sources.map(({ id }) => findDataSource(db, id)))).filter((row) => row !== undefined);
const dashboardRows = await Promise.all(
  dashboards.map(async ({ id }) => {
    const row = await findDashboard(db, people[0]?.org_id ?? 0, id);
    const { rows } = await sql<{ query_id: number }>`
      select query_id from widgets join visualizations on visualizations.id = visualization_id where dashboard_id = ${id}`.execute(db);
    const shows = rows.flatMap(({ query_id }) => queryRows.find((query) => query.id === query_id)?.source ?? []);
    return { ...(row as NonNullable<typeof row>), shows };
  }),
);
const groupRows = groups.map(({ id }) => ({ id }));

async function listed(table: string, where: RawBuilder<unknown>, among: readonly { id: number }[]): Promise<number[]> {
  const ids = among.map(({ id }) => id);
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where ${where} and id = any(${ids}::int[]) order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Compares both answers for all users, and checks that they differ between users: otherwise nothing was tested. */
async function compare<Row extends { id: number }>(
  table: string,
  rows: readonly Row[],
  where: (who: Person) => RawBuilder<unknown>,
  one: (who: Person, row: Row) => boolean,
): Promise<void> {
  const seen: number[] = [];
  for (const who of people) {
    const expected = ids(rows.filter((row) => one(who, row)));
    expect([who.id, await listed(table, where(who), rows)]).toEqual([who.id, expected]);
    seen.push(expected.length);
  }
  expect(new Set(seen).size).toBeGreaterThan(2);
}

describe('a list holds exactly what the rule for one object allows', () => {
  test('data sources', () =>
    compare(
      'data_sources',
      sourceRows,
      (who) => whereMay(who, 'list', 'data_source'),
      (who, row) => may(who, 'view', 'data_source', row),
    ));

  test('queries', () =>
    compare(
      'queries',
      queryRows,
      (who) => whereMay(who, 'list', 'query'),
      (who, row) => may(who, 'view', 'query', row),
    ));

  test('groups', () =>
    compare(
      'groups',
      groupRows,
      (who) => whereMay(who, 'list', 'group'),
      (who, row) => may(who, 'view', 'group', row),
    ));

  test.each(['list_archived', 'edit', 'archive'] as const)('queries: %s', (action) =>
    compare(
      'queries',
      queryRows,
      (who) => whereMay(who, action, 'query'),
      (who, row) => may(who, action, 'query', row),
    ),
  );

  test.each(['list', 'view', 'edit', 'share'] as const)('dashboards: %s', (action) =>
    compare(
      'dashboards',
      dashboardRows,
      (who) => whereMay(who, action, 'dashboard'),
      (who, row) => may(who, action, 'dashboard', row),
    ),
  );

  test.each(['list', 'view', 'edit'] as const)('alerts: %s', (action) =>
    compare(
      'alerts',
      alertRows,
      (who) => whereMay(who, action, 'alert'),
      (who, { user_id, query_id }) => {
        const query = queryRows.find(({ id }) => id === query_id) ?? null;
        return may(who, action, 'alert', { user_id, query });
      },
    ),
  );

  test('dashboards that are listed can be opened', () => {
    for (const who of people)
      for (const row of dashboardRows) if (may(who, 'list', 'dashboard', row)) expect(may(who, 'view', 'dashboard', row)).toBe(true);
  });
});

test('through the API, listed objects open and others do not', async () => {
  const needed = ['view_query', 'list_dashboards', 'list_data_sources'] as const;
  let walked = 0;
  for (const [i, user] of users.entries()) {
    const who = people[i] as Person;
    if (!needed.every((each) => hasPermission(who.permissions, each))) continue;
    walked++;
    const client = app.as(user);
    const [listedQueries, listedDashboards, listedSources] = await Promise.all([
      client.get(queriesApi.list, { query: { page_size: 250 } as never }),
      client.get(dashboardsApi.list, { query: { page_size: 250 } as never }),
      client.get(dataSourcesApi.list),
    ]);
    const statusOf = async (path: string) => (await client.fetch(path)).status;
    for (const { id } of queryRows) {
      const isListed = listedQueries.results.some((query) => query.id === id);
      expect([user.id, id, await statusOf(`/api/queries/${id}`)]).toEqual([user.id, id, isListed ? 200 : 403]);
    }
    for (const { id } of listedDashboards.results) expect(await statusOf(`/api/dashboards/${id}`)).toBe(200);
    const sourcesSeen = (listedSources as { id: number }[]).map(({ id }) => id);
    for (const { id } of sourceRows)
      expect([id, await statusOf(`/api/data_sources/${id}`)]).toEqual([id, sourcesSeen.includes(id) ? 200 : 403]);
  }
  expect(walked).toBeGreaterThan(2);
});
