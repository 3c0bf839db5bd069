import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { channelsApi, devicesApi } from '@telltale/domain/channels/contract.ts';
import { commandsApi, schedulesApi } from '@telltale/domain/commands/contract.ts';
import { DataSource, dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { groupsApi } from '@telltale/domain/groups/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { ensureBuiltInSource } from '../data-sources/built-in-source.ts';
import { prepareReader } from '../data-sources/prepare-reader.ts';
import { readerPass, readerUrl } from '../data-sources/reader.ts';
import type { DB } from '../platform/database-types.ts';
import { createLogger } from '../platform/log.ts';
import { runAdHoc, runSaved } from '../testing/run-query.ts';
import { testApp } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';
import { WideViews } from '../uplinks/wide-views.ts';

/** Two channels, a group with one of them, and everything that its members could read. */
const app = await testApp();
await prepareReader(app.ctx, inject('postgres').superuserUrl);
await ensureBuiltInSource(app.ctx);
const admin = app.as(app.admin);
for (const channel_id of ['harbour', 'vault']) {
  await admin.get(channelsApi.create, { body: { channel_id, channel_name: channel_id } });
  await admin.get(devicesApi.create, { params: { id: channel_id }, body: { device_id: 'dev-1', device_name: `Device of ${channel_id}` } });
}
await sql`
  insert into telemetry.attribute (channel_pk, name, first_seen, last_seen) select id, 'secret', now(), now() from telemetry.channel`.execute(
  app.ctx.db,
);
await sql`
  insert into telemetry.metric_last select device.id, attribute.id, now(), case channel_id when 'vault' then 42 else 1 end, null, 'n', null
  from telemetry.device join telemetry.channel on channel.id = channel_pk join telemetry.attribute on attribute.channel_pk = channel.id`.execute(
  app.ctx.db,
);
await new WideViews(app.ctx.db as Kysely<DB>, createLogger('silent')).keep();
await app.startWorker();

const group = await app.make.group({ name: 'Harbour people' });
const guest = await app.make.user({ groups: [], group_ids: [group.id] });
const everything = await app.make.user();
const narrow = app.as(guest);
await admin.get(groupsApi.save, { params: { id: group.id }, body: { all_channels: false } });
await admin.get(groupsApi.addChannel, { params: { id: group.id }, body: { channel_id: 'harbour' } });
const sources = DataSource.array().parse(await admin.get(dataSourcesApi.list));
const data_source_id = sources.find(({ type }) => type === 'telltale')?.id ?? 0;
await admin.json('POST', `/api/groups/${group.id}/data_sources`, { data_source_id });
const run = (client: typeof narrow, query: string) => runAdHoc(client, { data_source_id, query });
const channelsIn = 'select distinct channel_id from metric_last order by 1';

describe('design 8.1: channels per group, in SQL', () => {
  test('each sees the rows of their own channels, in every view', async () => {
    expect((await run(narrow, channelsIn)).rows).toEqual([{ channel_id: 'harbour' }]);
    expect((await run(app.as(everything), channelsIn)).rows).toEqual([{ channel_id: 'harbour' }, { channel_id: 'vault' }]);
    for (const view of ['channel', 'device']) {
      expect((await run(narrow, `select channel_id from ${view}`)).rows).toEqual([{ channel_id: 'harbour' }]);
    }
    expect((await run(narrow, 'select count(*)::int as n from channel_vault')).rows).toEqual([{ n: 0 }]);
  });

  test('security 25: a result cached for one user is not shown to the other', async () => {
    const cached = { data_source_id, query: `${channelsIn} -- cached`, max_age: -1 };
    expect((await runAdHoc(app.as(everything), cached)).rows).toHaveLength(2);
    expect((await runAdHoc(narrow, cached)).rows).toEqual([{ channel_id: 'harbour' }]);
    expect((await runAdHoc(app.as(everything), cached)).rows).toHaveLength(2);
  });

  test.each([
    ["select set_config('telltale.pass', '1:*:x', false), channel_id from metric_last"],
    ["with forged as materialized (select set_config('telltale.pass', '1:*:x', true)) select channel_id from forged, metric_last"],
    ["set telltale.pass = '1:*:x'; select channel_id from metric_last"],
    ['reset all; select channel_id from metric_last'],
    ['set role none; select channel_id from metric_last'],
    ["select channel_id from metric_last where 1 / (case when channel_id = 'vault' then 0 else 1 end) = 1"],
    ["select channel_id from metric_last where (channel_id || ' is here')::text::int > 0 or true"],
    ["select channel_id from channel where case when channel_id = 'vault' then channel_id::int = 1 else true end"],
    ["select channel_id from metric_last where channel_id ~ '^v' or json_build_object(channel_id, 1)::text = ''"],
  ])('security 24: %s shows nothing of another channel', async (query) => {
    const { rows = [], error } = await run(narrow, query);
    expect(JSON.stringify([rows, error])).not.toContain('vault');
    expect(String(error)).not.toContain('division by zero');
  });

  test('on a server where the setting can be changed, a text that changes it sees nothing, and no other pass is valid', async () => {
    const own = await readerPass(app.ctx, [1]);
    const wide = await readerPass(app.ctx, null);
    const client = new pg.Client({ connectionString: await readerUrl(app.ctx), options: `-c telltale.pass=${own}` });
    await client.connect();
    onTestFinished(() => client.end());
    const seen = async () => (await client.query('select channel_id from app.channel order by 1')).rows.map(({ channel_id }) => channel_id);
    expect(await seen()).toHaveLength(1);
    const forged = ['', '*', wide.replace(/:\w+$/, ':'), own.replace(/:[\d.]+:/, ':*:'), `${own}0`, '1:2:3', ':::', '1:*:null'];
    for (const pass of forged) {
      await client.query(`set telltale.pass = '${pass}'`);
      expect([pass, await seen()]).toEqual([pass, []]);
    }
    await client.query(`set telltale.pass = '${wide}'`);
    expect(await seen()).toHaveLength(2);
    // A kept pass gives no access after the user's groups were changed.
    await admin.get(groupsApi.save, { params: { id: group.id }, body: { all_channels: false } });
    expect(await seen()).toEqual([]);
  });

  test('every view that a reader sees is a security barrier: no function of a query is called with rows it leaves out', async () => {
    const { rows } = await sql<{ name: string; options: string[] | null }>`
      select relname as name, reloptions as options from pg_class where relnamespace = 'app'::regnamespace and relkind = 'v'`.execute(
      app.ctx.db,
    );
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.filter(({ options }) => !options?.includes('security_barrier=true')).map(({ name }) => name)).toEqual([]);
  });

  test('a reader cannot sign a pass or read what it is signed with', async () => {
    const client = new pg.Client(await readerUrl(app.ctx));
    await client.connect();
    onTestFinished(() => client.end());
    for (const text of ["select console.reader_signature('1:*')", 'select * from console.reader_access']) {
      await expect(client.query(text)).rejects.toMatchObject({ code: '42501' });
    }
  });

  test('the latest result of a query is what its owner sees: others with fewer channels run it for themselves', async () => {
    const query = await app.make.query({ data_source_id, user_id: everything.id, query: `${channelsIn} -- saved` });
    expect((await runSaved(app.as(everything), query.id)).rows).toHaveLength(2);
    const latest = (await app.as(everything).get(queriesApi.get, { params: { id: query.id } })).latest_query_data_id;
    expect(latest).toBeTypeOf('number');
    expect((await narrow.get(queriesApi.get, { params: { id: query.id } })).latest_query_data_id).toBeNull();
    for (const path of [
      `/api/query_results/${latest}`,
      `/api/queries/${query.id}/results/${latest}.json`,
      `/api/queries/${query.id}/results.json`,
    ])
      expect([path, (await narrow.fetch(path)).status]).toEqual([path, 403]);
    expect((await runSaved(narrow, query.id)).rows).toEqual([{ channel_id: 'harbour' }]);
    expect((await app.as(everything).get(queriesApi.get, { params: { id: query.id } })).latest_query_data_id).toBe(latest);
  });

  test('W10: the replay of an alert leaves out results of the same text with channels of others, and finds those of the caller', async () => {
    const query = `${channelsIn.replace('order by 1', 'order by 1 desc')} -- copied`;
    const [theirs, copy] = [
      await app.make.query({ data_source_id, user_id: everything.id, query }),
      await app.make.query({ data_source_id, user_id: guest.id, query }),
    ];
    const replay = async (client: typeof narrow, query_id: number) => {
      const options = { column: 'channel_id', op: '==' as const, value: 'vault' };
      return (await client.get(alertsApi.replay, { body: { query_id, options, rearm: 1, days: 30 } })).series.map(({ value }) => value);
    };
    expect((await runSaved(app.as(everything), theirs.id)).rows).toHaveLength(2);
    expect(await replay(app.as(everything), theirs.id)).toEqual(['vault']);
    expect(await replay(narrow, copy.id)).toEqual([]);
    expect((await runSaved(narrow, copy.id)).rows).toEqual([{ channel_id: 'harbour' }]);
    expect(await replay(narrow, copy.id)).toEqual(['harbour']);
    expect(await replay(app.as(everything), copy.id)).toEqual(['harbour']);
  });

  test('the schema leaves out the views of other channels', async () => {
    const { body } = await narrow.call(dataSourcesApi.schema, { params: { id: data_source_id } });
    const names = 'schema' in body ? body.schema.map(({ name }) => name) : [];
    expect(names).toContain('app.channel_harbour');
    expect(names).not.toContain('app.channel_vault');
  });
});

describe('design 8.1: an alert on a query that reads channels which are not among the own ones', () => {
  const watchedQuery = async (query: string) => {
    const { id } = await app.make.query({ data_source_id, user_id: everything.id, query });
    await runSaved(app.as(everything), id);
    const options = { column: 'n', op: '>' as const, value: 40, custom_subject: 'It is {{QUERY_RESULT_VALUE}}' };
    const alert = await app.as(everything).get(alertsApi.create, { body: { name: 'High', query_id: id, options } });
    const params = { id: alert.id };
    const watch = async () => {
      await runSaved(app.as(everything), id);
      return until(
        () => app.as(everything).get(alertsApi.get, { params }),
        ({ state }) => state !== 'unknown',
      );
    };
    return { params, watch };
  };

  test('is seen without values, and nobody subscribes to it', async () => {
    const { params, watch } = await watchedQuery('select max(value)::int + 0 as n from metric_last');
    await app.as(everything).get(alertsApi.subscribe, { params, body: {} });
    expect(await watch()).toMatchObject({ state: 'triggered', last_evaluation: { value: 42 } });
    expect(await narrow.get(alertsApi.get, { params })).toMatchObject({ state: 'triggered', last_evaluation: { value: null } });
    expect(JSON.stringify(await app.as(everything).get(alertsApi.evaluations, { params }))).toContain('42');
    expect(JSON.stringify(await app.as(everything).get(alertsApi.deliveries, { params }))).toContain('It is 42');
    expect((await narrow.get(alertsApi.evaluations, { params })).results.map(({ value }) => value)).toEqual([null]);
    expect(JSON.stringify(await narrow.get(alertsApi.deliveries, { params }))).not.toContain('It is 42');
    expect((await narrow.call(alertsApi.subscribe, { params, body: {} })).status).toBe(403);
  });

  test('sends no mail to somebody who subscribed before', async () => {
    const { params, watch } = await watchedQuery('select max(value)::int + 0 as n from metric_last -- mailed');
    await admin.get(groupsApi.save, { params: { id: group.id }, body: { all_channels: true } });
    await narrow.get(alertsApi.subscribe, { params, body: {} });
    await admin.get(groupsApi.save, { params: { id: group.id }, body: { all_channels: false } });
    await app.as(everything).get(alertsApi.subscribe, { params, body: {} });
    await watch();
    const { results } = await app.as(everything).get(alertsApi.deliveries, { params });
    expect(results.map(({ name }) => name)).toEqual([everything.email]);
  });
});

describe('design 8.1: channels per group, on the pages', () => {
  const vault = { params: { id: 'vault' } };

  test('channels and devices of others do not exist', async () => {
    const listed = (await narrow.get(channelsApi.list)) as { channel_id: string }[];
    expect(listed.map(({ channel_id }) => channel_id)).toEqual(['harbour']);
    expect((await narrow.call(channelsApi.get, vault)).status).toBe(404);
    expect((await narrow.call(devicesApi.list, vault)).status).toBe(404);
    expect((await narrow.call(channelsApi.save, { ...vault, body: { channel_name: 'Mine' } })).status).toBe(404);
    expect((await narrow.call(channelsApi.create, { body: { channel_id: 'own-one' } })).status).toBe(403);
    expect((await narrow.call(channelsApi.get, { params: { id: 'harbour' } })).status).toBe(200);
    for (const path of ['/api/channels/vault/devices/dev-1/last', '/api/channels/vault/devices/dev-1/deliveries'])
      expect([path, (await narrow.fetch(path)).status]).toEqual([path, 404]);
  });

  test('nor do their commands and alerts', async () => {
    const command = await admin.get(commandsApi.create, {
      body: { name: 'Open the vault', channel_id: 'vault', device_ids: ['dev-1'], payload: 'open', mode: 'push', fport: 1 },
    });
    expect((await narrow.call(commandsApi.get, { params: { id: command.id } })).status).toBe(404);
    expect((await narrow.call(commandsApi.send, { params: { id: command.id }, body: {} })).status).toBe(404);
    expect(JSON.stringify(await narrow.get(commandsApi.list))).not.toContain('vault');
    const at = { type: 'r' as const, schedule: '0 0 12 * * ?', timezone: 'UTC' };
    const schedule = await admin.get(schedulesApi.create, { params: { id: command.id }, body: { name: 'Noon', ...at } });
    const params = { id: command.id, sid: schedule.id };
    const reached = [
      await narrow.call(schedulesApi.create, { params, body: { id: schedule.id, name: 'Mine', ...at } as never }),
      await narrow.call(schedulesApi.save, { params, body: { name: 'Mine' } as never }),
      await narrow.call(schedulesApi.resume, { params }),
      await narrow.call(schedulesApi.runs, { params }),
      await narrow.call(schedulesApi.remove, { params }),
    ];
    expect(reached.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    const options = { kind: 'silence' as const, channel_id: 'vault', device_ids: [], silent_seconds: 60 };
    const alert = await admin.get(alertsApi.create, { body: { name: 'The vault is silent', options } });
    expect((await narrow.call(alertsApi.get, { params: { id: alert.id } })).status).toBe(403);
    expect(JSON.stringify(await narrow.get(alertsApi.list))).not.toContain('vault');
    expect((await narrow.call(alertsApi.create, { body: { name: 'Mine', options } })).status).toBe(404);
  });

  test('a command that was moved to another channel keeps what it did in the old one to those who see that', async () => {
    const device = { device_ids: ['dev-1'] };
    const { id } = await admin.get(commandsApi.create, {
      body: { name: 'Moving', channel_id: 'vault', ...device, payload: 'open', mode: 'push', fport: 1 },
    });
    const params = { id };
    await admin.get(commandsApi.send, { params, body: {} });
    const event = { type: 'e' as const, channel_id: 'vault', device_id: 'dev-1', attribute: 'secret', operator: '>' as const, value: 41 };
    const schedule = await admin.get(schedulesApi.create, { params, body: { name: 'Secret', ...event } });
    await admin.get(schedulesApi.create, { params, body: { name: 'Noon', type: 'r', schedule: '0 0 12 * * ?', timezone: 'UTC' } });
    await admin.get(commandsApi.save, { params, body: { channel_id: 'harbour', ...device } });
    await admin.get(commandsApi.send, { params, body: {} });
    const seenBy = async (client: typeof narrow) => [
      (await client.get(commandsApi.deliveries, { params })).results.map(({ channel_id }) => channel_id),
      (await client.get(commandsApi.executions, { params })).count,
      ((await client.get(schedulesApi.list, { params })) as { name: string }[]).map(({ name }) => name),
      (await client.call(schedulesApi.runs, { params: { id, sid: schedule.id } })).status,
    ];
    expect(await seenBy(narrow)).toEqual([['harbour'], 1, ['Noon'], 404]);
    expect(await seenBy(admin)).toEqual([['harbour', 'vault'], 2, ['Noon', 'Secret'], 200]);
  });

  test('a group that sees all channels again, or is taken away, acts at once', async () => {
    await admin.get(groupsApi.save, { params: { id: group.id }, body: { all_channels: true } });
    expect((await narrow.call(channelsApi.get, vault)).status).toBe(200);
    await admin.get(groupsApi.save, { params: { id: group.id }, body: { all_channels: false } });
    expect((await narrow.call(channelsApi.get, vault)).status).toBe(404);
    await admin.get(groupsApi.removeChannel, { params: { id: group.id, channelId: 'harbour' } });
    expect(await narrow.get(channelsApi.list)).toEqual([]);
    expect((await run(narrow, channelsIn)).rows).toEqual([]);
    await admin.get(groupsApi.addChannel, { params: { id: group.id }, body: { channel_id: 'harbour' } });
  });

  test('A4: of the built-in groups only `default` can be narrowed, and neither is renamed', async () => {
    const groups = (await admin.get(groupsApi.list)) as { id: number; name: string }[];
    const idOf = (name: string) => groups.find((each) => each.name === name)?.id ?? 0;
    const save = (name: string, body: object) => admin.call(groupsApi.save, { params: { id: idOf(name) }, body });
    expect((await save('admin', { all_channels: false })).status).toBe(400);
    expect((await save('default', { name: 'Other' })).status).toBe(400);
    expect(await save('default', { all_channels: false })).toMatchObject({ status: 200, body: { all_channels: false } });
    expect((await app.as(everything).get(channelsApi.list)) as unknown[]).toEqual([]);
    expect((await save('default', { all_channels: true })).status).toBe(200);
    expect((await admin.call(groupsApi.addChannel, { params: { id: idOf('admin') }, body: { channel_id: 'vault' } })).status).toBe(400);
    expect((await admin.call(groupsApi.addChannel, { params: { id: group.id }, body: { channel_id: 'none' } })).status).toBe(404);
  });
});
