import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { DataSource, dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { groupsApi } from '@telltale/domain/groups/contract.ts';
import { deviceQueriesApi } from '@telltale/domain/queries/device-query.ts';
import { movedPointDays } from '@telltale/domain/uplinks/retention.ts';
import type { Kysely } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { pushDown } from '../connectors/iot-data/history-pushdown.ts';
import { askClickhouse, missingClickhouse } from '../connectors/testing/clickhouse-server.ts';
import type { DB } from '../platform/database-types.ts';
import { runAdHoc, runSaved } from '../testing/run-query.ts';
import { until } from '../testing/until.ts';
import { testUplinks } from '../testing/uplinks.ts';
import { rollUp } from '../uplinks/rollups.ts';
import { Partitions } from '../uplinks/storage/partitions.ts';
import { prepareHistory } from './history.ts';
import { moveHistory } from './move-history.ts';
import { isNoting, readBacklog } from './outbox.store.ts';
import { Shipper } from './shipper.ts';
import { equalQueries } from './testing/equal-queries.ts';
import { historyApp, makeReadings, spreadReadings, startSending } from './testing/history-app.ts';
import { pushedQueries } from './testing/pushed-queries.ts';

/** TELLTALE_HISTORY_POINTS=2000000 holds two million readings against each other. */
const points = Number(process.env.TELLTALE_HISTORY_POINTS ?? 30_000);

describe.skipIf(missingClickhouse)(`readings in ClickHouse${missingClickhouse ? ` (${missingClickhouse} is missing)` : ''}`, async () => {
  if (missingClickhouse) return;
  const { app, clickhouse, way, shipper, url, stop } = await historyApp();
  afterAll(stop);
  const { db } = app.ctx;
  const owner = new pg.Client(app.databaseUrl);
  await owner.connect();
  afterAll(() => owner.end());
  await owner.query("set time zone 'UTC'");
  await makeReadings(db, points);
  await rollUp(app.ctx);
  const admin = app.as(app.admin);
  const sources = DataSource.array().parse(await admin.get(dataSourcesApi.list));
  const source = sources.find(({ type }) => type === 'telltale');
  const data_source_id = source?.id ?? 0;
  const run = (query: string, client = admin) => runAdHoc(client, { data_source_id, query });
  const count = async (query = 'select count(*) as n from app.metric') => Number((await run(query)).rows?.[0]?.n);
  const allPoints = async () => Number((await owner.query('select count(*) as n from app.metric')).rows[0].n);
  const worker = await app.startWorker();
  const group = await app.make.group({ name: 'Harbour people' });
  const guest = app.as(await app.make.user({ groups: [], group_ids: [group.id] }));
  await admin.get(groupsApi.save, { params: { id: group.id }, body: { all_channels: false } });
  await admin.get(groupsApi.addChannel, { params: { id: group.id }, body: { channel_id: 'harbour' } });
  await admin.json('POST', `/api/groups/${group.id}/data_sources`, { data_source_id });

  test('the source speaks the dialect of ClickHouse', () => {
    expect(source).toMatchObject({ type: 'telltale', dialect: 'clickhouse' });
  });

  test('while ClickHouse is away readings wait; afterwards each is there once', async () => {
    await way.cut();
    await expect(shipper.ship(db)).rejects.toThrow();
    expect((await readBacklog(db)).points).toBeGreaterThanOrEqual(points);
    await way.mend();
    expect(await shipper.ship(db)).toBeGreaterThanOrEqual(points);
    expect(await readBacklog(db)).toEqual({ points: 0, seconds: 0 });
    expect(await count()).toBe(points);
  });

  test('what is sent twice, because a process was killed before it noted the answer, counts once', async () => {
    await owner.query(`update telemetry.metric_point set value = value where attribute_id % 5 = 0`);
    await owner.query('create table telemetry.kept_box as select * from telemetry.history_outbox');
    await shipper.ship(db);
    await owner.query(
      'insert into telemetry.history_outbox overriding system value select * from telemetry.kept_box; drop table telemetry.kept_box',
    );
    // Another process takes over.
    expect(await new Shipper(url).ship(db)).toBeGreaterThan(0);
    expect(await count()).toBe(points);
  });

  test('changed and deleted readings are changed and deleted there', async () => {
    const changed = `attribute_id = (select min(id) from telemetry.attribute) and time < '2026-10-01 00:30:00+00'`;
    await owner.query(`update telemetry.metric_point set value = -5 where ${changed}`);
    await shipper.ship(db);
    expect(await count('select count(*) as n from app.metric where value = -5')).toBeGreaterThan(0);
    const before = await count();
    const { rowCount } = await owner.query(`delete from telemetry.metric_point where ${changed}`);
    await shipper.ship(db);
    expect(await count()).toBe(before - Number(rowCount));
    await owner.query('insert into telemetry.rollup_due (device_pk, from_time, to_time) select id, $1, $2 from telemetry.device', [
      '2026-10-01 00:00:00+00',
      '2026-10-01 00:59:00+00',
    ]);
    await rollUp(app.ctx);
    await shipper.ship(db);
  });

  test('a transaction that is rolled back leaves nothing to send', async () => {
    await owner.query("begin; update telemetry.metric_point set value = 1e9 where kind = 'n'; rollback");
    expect((await readBacklog(db)).points).toBe(0);
  });

  test.each(
    equalQueries.map((pair, place): [number, string, string] => [
      place + 1,
      ...((Array.isArray(pair) ? pair : [pair, pair]) as [string, string]),
    ]),
  )('equal answers %i: %s', async (_place, postgres, clickhouseText) => {
    const expected = (await owner.query(postgres)).rows;
    const { rows, error } = await run(clickhouseText);
    expect(error).toBe('');
    expect(rows?.map(plain)).toEqual(expected.map(near));
    expect(expected.length).toBeGreaterThan(0);
  });

  test('numbers are the same to the last bit', async () => {
    const query = `select device_id, attribute, value from app.metric where channel_id = 'harbour' and value is not null
      order by time, device_id, attribute limit 2000`;
    expect((await run(query)).rows).toEqual((await owner.query(query)).rows);
  });

  test('design 8.1: a member of a group sees the readings of its channels only, in every relation', async () => {
    for (const relation of ['metric', 'metric_last', 'metric_minute', 'metric_hour', 'device', 'channel']) {
      const { rows, error } = await run(`select distinct channel_id from app.${relation}`, guest);
      expect([relation, error, rows]).toEqual([relation, '', [{ channel_id: 'harbour' }]]);
    }
    const query = 'select distinct channel_id from metric order by channel_id -- cached';
    expect((await runAdHoc(admin, { data_source_id, query, max_age: -1 })).rows).toHaveLength(2);
    expect((await runAdHoc(guest, { data_source_id, query, max_age: -1 })).rows).toEqual([{ channel_id: 'harbour' }]);
    await admin.json('DELETE', `/api/groups/${group.id}/channels/harbour`);
    expect((await run(`${query} 2`, guest)).rows).toEqual([]);
    await admin.get(groupsApi.addChannel, { params: { id: group.id }, body: { channel_id: 'harbour' } });
  });

  test.each([
    'select count(*) as n from telltale.point',
    'select count(*) as n from `telltale`.`point`',
    'select count(*) as n from "telltale" . point',
    'select count(*) as n from telltale/**/./**/point',
    'select count(*) as n from app.metric, telltale.device',
    'select 1 as n where 5 in telltale.device',
    'select name from system.tables',
    'select name from system.databases',
    "select count(*) as n from merge('telltale', '^point$')",
    "select count(*) as n from merge(telltale, '^point$')",
    "select count(*) as n from app.metric any left join merge('telltale', 'point') using time",
    "select count(*) as n from remote('127.0.0.1', 'telltale', 'point')",
    "select count(*) as n from remote('127.0.0.1:9000', telltale.point)",
    "select * from url('http://127.0.0.1/', CSV, 'a String')",
    "select * from file('users.xml', TSV, 'a String')",
    "select dictGet('telltale.x', 'y', 1)",
    "select hasColumnInTable('telltale', 'point', 'value')",
    'select 1 settings readonly = 0',
    'select * from app.metric settings max_threads = 1',
    'set readonly = 0',
    'set readonly = 0; select count(*) from telltale.point',
    'use telltale',
    'insert into telltale.channel (channel_pk) values (1)',
    'drop table telltale.point',
    'show tables from telltale',
    'describe table telltale.point',
    'exists table telltale.point',
    'kill query where 1',
    'select count(*) as n from `tell\\x74ale`.point',
    'select 1 // \n from telltale.point',
    "select 1 #'\n from telltale.point #'",
    'select 1 as ‘a’ from telltale.point',
    'select /* /* */ 1 */ count(*) from telltale.point',
    'with (select count(*) from telltale.point) as x select x',
    'select (select max(value) from telltale.point) as x',
    'select x from (select value as x from telltale.point) limit 1',
  ])('security 24: %s is refused', async (query) => {
    const before = await askClickhouse(clickhouse.port, 'select count() from telltale.point final');
    const { error, rows } = await run(query, guest);
    expect(rows).toBeUndefined();
    expect(error).not.toBe('');
    expect(await askClickhouse(clickhouse.port, 'select count() from telltale.point final')).toBe(before);
  });

  test.each([
    ["select count(*) as n from app.metric where throwIf(channel_id = 'vault') = 0"],
    ["select count(*) as n from app.metric_last where throwIf(channel_id = 'vault') = 0"],
    ["select count(*) as n from app.device where throwIf(channel_id = 'vault') = 0"],
    ["select count(*) as n from app.channel where throwIf(channel_id = 'vault') = 0"],
    ["select count(*) as n from app.metric_hour where throwIf(channel_id = 'vault') = 0"],
  ])('security 24: no function of a query sees another channel: %s', async (query) => {
    expect(await run(query, guest)).toMatchObject({ error: '' });
    expect(await run(query)).toMatchObject({ error: expect.stringContaining('throwIf') });
  });

  test('a fault has its place in the text as it was written, and names app', async () => {
    const { job } = await run('select value,\n  no_such\nfrom app.metric');
    expect(job).toMatchObject({ status: 4, error: expect.stringContaining('no_such'), error_line: 2, error_column: 3 });
    expect((await run('select 1 from app.nothing')).error).toContain('app.nothing');
  });

  test('the schema lists the relations of app', async () => {
    await expect
      .poll(async () => {
        const answer = await admin.get(dataSourcesApi.schema, { params: { id: data_source_id } });
        return 'schema' in answer ? answer.schema.map(({ name }) => name) : [];
      })
      .toEqual(['channel', 'device', 'metric', 'metric_hour', 'metric_last', 'metric_minute'].map((name) => `app.${name}`));
  });

  test('Q3: a query over devices is written in this dialect and runs', async () => {
    const made = await admin.get(deviceQueriesApi.add, {
      body: { name: 'Volts', channel_id: 'harbour', device_ids: ['dev-1', 'dev-2'], attributes: ['volts', 'air.humidity', 'note'] },
    });
    const parameters = { timerange: { start: '2026-10-01 00:00', end: '2026-10-01 00:20' } };
    const { rows, error } = await runSaved(admin, made.id, { parameters });
    expect(error).toBe('');
    const { rows: expected } = await owner.query(`
      select time, device_id, max(value) filter (where attribute = 'volts') as volts, max(value) filter (where attribute = 'air.humidity') as "air.humidity",
        max(value_text) filter (where attribute = 'note') as note
      from app.metric where channel_id = 'harbour' and device_id in ('dev-1', 'dev-2') and time >= '2026-10-01' and time < '2026-10-01 00:21'
        and attribute in ('volts', 'air.humidity', 'note') group by 1, 2 order by 1, 2`);
    expect(rows?.map(plain)).toEqual(expected.map(plain));
  });

  test('times are read in the time zone of the viewer', async () => {
    const query = 'select toHour(min(time)) as hour from app.metric';
    expect((await runAdHoc(admin, { data_source_id, query, time_zone: 'Asia/Kolkata' })).rows).toEqual([{ hour: 5 }]);
    expect((await runAdHoc(admin, { data_source_id, query, time_zone: 'UTC' })).rows).toEqual([{ hour: 0 }]);
  });

  test('conditions that are repeated inside of the relations change no answer, in whatever zone the viewer is', async () => {
    await spreadReadings(db);
    await rollUp(app.ctx);
    await shipper.ship(db);
    for (const query of pushedQueries) {
      expect(
        pushDown(query.replaceAll('app.', 'd.'), 'd', () => ''),
        query,
      ).toBeDefined();
      for (const time_zone of ['UTC', 'Asia/Kolkata', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
        const answer = await runAdHoc(admin, { data_source_id, query, time_zone });
        const expected = await runAdHoc(admin, { data_source_id, query: everything(query), time_zone });
        expect([query, time_zone, answer.error, answer.rows]).toEqual([query, time_zone, '', expected.rows]);
        expect(expected.rows?.length, query).toBeGreaterThan(0);
      }
    }
  });

  test('a condition on the key reads less than all readings', async () => {
    const marks = async (query: string) => {
      const selected = () => askClickhouse(clickhouse.port, "select value from system.events where event = 'SelectedMarks'").then(Number);
      const before = await selected();
      expect(await run(query)).toMatchObject({ error: '' });
      return (await selected()) - before;
    };
    for (const relation of ['metric', 'metric_minute']) {
      const query = `select count(*) as n from app.${relation} where channel_id = 'vault' and device_id = 'dev-9' and attribute = 'volts'`;
      expect(await marks(query), relation).toBeLessThan((await marks(everything(query))) / 1.5);
    }
    const query = "select count(*) as n from app.metric where time >= '2027-01-01 00:00:00'";
    expect(await marks(query)).toBeLessThan(await marks(everything(query)));
  });

  test('a fault of a text with such conditions is that of the text as it was written', async () => {
    const { job } = await run("select value,\n  no_such\nfrom app.metric where channel_id = 'harbour'");
    expect(job).toMatchObject({ status: 4, error: expect.stringContaining('no_such'), error_line: 2, error_column: 3 });
    for (const where of [
      "time > '2026-10-01'",
      "time > toDateTime('2026-10-01 00:00:00', 'No/Zone')",
      "channel_id = 'harbour' and no_such(value)",
      "channel_id = 'harbour' and throwIf(value > -1000) = 0",
      "channel_id = 'harbour' and",
    ]) {
      const { error } = await run(`select count(*) as n from app.metric where ${where}`);
      expect(error).not.toBe('');
      expect(error).not.toMatch(/97200|telltale|is_deleted/);
    }
    // Here the relation is named by its database, which it has no more when it is replaced.
    expect(await count("select count(app.metric.time) as n from app.metric where channel_id = 'harbour'")).toBe(
      await count("select count(*) as n from app.metric where channel_id = 'harbour'"),
    );
  });

  test('design 8.1: such conditions show no function of a query another channel', async () => {
    for (const relation of ['metric', 'metric_last', 'metric_hour', 'metric_minute']) {
      const query = `select count(*) as n from app.${relation} where attribute = 'volts' and device_id = 'dev-1' and throwIf(channel_id = 'vault') = 0`;
      expect(await run(query, guest)).toMatchObject({ error: '' });
      expect(await run(query)).toMatchObject({ error: expect.stringContaining('throwIf') });
      expect((await run(`select count(*) as n from app.${relation} where channel_id = 'vault'`, guest)).rows).toEqual([{ n: 0 }]);
    }
  });

  test('kill -9 of the process that sends, and of ClickHouse itself: nothing is lost, nothing is there twice', async () => {
    const before = await allPoints();
    let [sender, kills] = [startSending(app.databaseUrl, url), 0];
    afterAll(() => void sender.kill('SIGKILL'));
    const batches = 24;
    for (let batch = 0; batch < batches; batch++) {
      await owner.query(
        `insert into telemetry.metric_point (time, device_pk, attribute_id, value, kind)
         select '2026-10-20 00:00:00+00'::timestamptz + ($1 * 500 + n) * interval '1 second', (select min(id) from telemetry.device),
           (select min(id) from telemetry.attribute), n, 'n' from generate_series(1, 500) n`,
        [batch],
      );
      if (batch % 6 !== 3) continue;
      // Each kill comes after the sender has begun with what waits.
      const waiting = (await readBacklog(db)).points;
      await until(
        async () => (await readBacklog(db)).points,
        (left) => left < waiting,
      );
      sender.kill('SIGKILL');
      if (kills++ % 2 === 1) await clickhouse.crash();
      sender = startSending(app.databaseUrl, url);
    }
    expect(
      await until(
        async () => (await readBacklog(db)).points,
        (left) => left === 0,
        60_000,
      ),
    ).toBe(0);
    sender.kill('SIGKILL');
    expect(await count()).toBe(before + batches * 500);
    expect(await count("select count(distinct time) as n from app.metric where time >= '2026-10-20 00:00:00'")).toBe(batches * 500);
  });

  test('renamed and deleted devices and channels follow', async () => {
    await owner.query(
      `update telemetry.device set device_name = 'Renamed' where device_id = 'dev-7'; update telemetry.device set deleted_at = now() where device_id = 'dev-8'`,
    );
    await new Shipper(url).ship(db);
    expect(await count("select count(*) as n from app.metric_last where device_name = 'Renamed'")).toBe(10);
    expect(await count("select count(*) as n from app.metric where device_id = 'dev-8'")).toBe(0);
    expect(await count()).toBe(await allPoints());
    expect((await admin.json('DELETE', channelsApi.remove.path.replace(':id', 'vault'))).status).toBe(200);
    await new Shipper(url).ship(db);
    expect((await run('select channel_id from app.channel')).rows).toEqual([{ channel_id: 'harbour' }]);
    expect(await count()).toBe(await allPoints());
  });

  test('iot-behaviour 1.8: months older than the retention are dropped there, others stay', async () => {
    const ask = (query: string) => askClickhouse(clickhouse.port, query);
    const before = await ask('select count() from telltale.point final');
    await ask(`insert into telltale.point (channel_pk, device_pk, channel_id, device_id, attribute, time, micros, value, kind, version, is_deleted)
      select 1, 1, 'harbour', 'dev-1', 'volts', toDateTime('2024-01-05 00:00:00') + number * 86400, 0, 1, 'n', 1, 0 from numbers(60)`);
    await new Shipper(url).ship(db);
    expect(await ask("select count() from telltale.point where time < '2024-12-31 00:00:00'")).toBe('0');
    expect(await ask('select count() from telltale.point final')).toBe(before);
  });

  test('iot-behaviour 1.8: what a channel with a retention of its own keeps no longer is deleted there, once', async () => {
    const ask = (query: string) => askClickhouse(clickhouse.port, query);
    const { rows } = await owner.query(`
      with made as (insert into telemetry.channel (channel_id, channel_name, kind) values ('cellar', 'Cellar', 'mqtt') returning id)
      insert into console.channel_settings (channel_pk, org_id, retention_days) select made.id, organizations.id, 10 from made, console.organizations
      returning channel_pk`);
    const pk = Number(rows[0].channel_pk);
    const reading = "'a', 't', toDateTime(now()) - days * 86400";
    const channels = `(select ${pk} as pk, 'cellar' as id union all select ${pk + 1}, 'cellar' union all select ${pk + 2}, 'attic')`;
    for (const table of ['point', 'last'])
      await ask(`insert into telltale.${table} (channel_pk, device_pk, channel_id, device_id, attribute, time, micros, value, kind, version, is_deleted)
        select pk, pk, id, ${reading}, 0, 1, 'n', 1, 0 from ${channels} array join [5, 15, 40] as days`);
    await ask(`insert into telltale.hour (channel_pk, device_pk, channel_id, device_id, attribute, time, count, sum, min, max, last, version, is_deleted)
      select pk, pk, id, ${reading}, 1, 1, 1, 1, 1, 1, 0 from ${channels} array join [5, 15, 40] as days`);
    const counts = (table: string) =>
      ask(
        `select channel_pk - ${pk}, count() from telltale.${table} where channel_id in ('cellar', 'attic') group by channel_pk order by channel_pk`,
      );
    const deletions = () => ask("select count() from system.mutations where database = 'telltale'");
    const before = await counts('last');
    await new Shipper(url).ship(db);
    // Not of another channel, nor of one that had the same id before.
    const left = '0\t1\n1\t3\n2\t3';
    for (const table of ['point', 'hour']) {
      expect(
        await until(
          () => counts(table),
          (seen) => seen === left,
        ),
      ).toBe(left);
    }
    expect(await counts('last')).toBe(before);
    const done = await deletions();
    await new Shipper(url).ship(db);
    expect([done, await deletions()]).toEqual(['2', '2']);
    await owner.query('delete from telemetry.channel where id = $1', [pk]);
  });

  test('older readings are moved, in pieces, and a move that was stopped goes on', async () => {
    for (const table of ['point', 'last', 'hour']) await askClickhouse(clickhouse.port, `truncate table telltale.${table}`);
    expect(await count()).toBe(0);
    const live = await allPoints();
    const piece = Math.ceil(points / 7);
    let steps = 0;
    await moveHistory(db, url, { piece, onProgress: () => ++steps < 3 });
    expect(await count()).toBeLessThan(live);
    const stopped = Number((await owner.query('select sum(points) as n from telemetry.history_moves')).rows[0].n);
    expect(stopped).toBeGreaterThan(0);
    // A reading that changes meanwhile keeps its new value, whichever of the two is first.
    await owner.query(
      "update telemetry.metric_point set value = 777 where time = (select min(time) from telemetry.metric_point) and kind = 'n'",
    );
    await shipper.ship(db);
    await moveHistory(db, url, { piece });
    expect(await count()).toBe(live);
    expect(await count('select count(*) as n from app.metric where value = 777')).toBe(
      Number((await owner.query('select count(*) as n from app.metric where value = 777')).rows[0].n),
    );
    expect(await count('select count(*) as n from app.metric_last')).toBe(
      Number((await owner.query('select count(*) as n from app.metric_last')).rows[0].n),
    );
    expect(await count('select count(*) as n from app.metric_hour')).toBe(
      Number((await owner.query('select count(*) as n from app.metric_hour')).rows[0].n),
    );
    const { moved } = await moveHistory(db, url, { piece });
    expect(moved).toBe(0);
    // PostgreSQL need not keep for a year what was moved; ClickHouse has it.
    const parts = new Set(
      (await owner.query('select part from telemetry.history_moves where done_at is not null')).rows.map(({ part }) => part),
    );
    const soon = Math.floor(Date.parse('2026-11-02') / 86_400_000) + movedPointDays;
    await new Partitions(db as Kysely<DB>, app.ctx.log).dropExpired(soon - 1, { moved: parts });
    expect(await allPoints()).toBe(live);
    await new Partitions(db as Kysely<DB>, app.ctx.log).dropExpired(soon, { moved: parts });
    expect(await allPoints()).toBe(0);
    await shipper.ship(db);
    expect(await count()).toBe(live);
  });

  test('iot-behaviour 1.9: what a device was answered for is there, also with a time of its own that is sent again', async () => {
    const { aDevice, send } = await testUplinks(app, { devices: 2 });
    const device = await aDevice();
    const ts = Date.now() - 3_600_000;
    expect(await send(device, '{"t": 1.5, "note": "ünïcode\\t\\\\", "on": true}')).toMatchObject({ status: 'stored' });
    await send(device, JSON.stringify({ ts, values: { old: 3 } }));
    await send(device, JSON.stringify({ ts, values: { old: 4 } }));
    await shipper.ship(db);
    const { rows, error } = await run(
      "select attribute, value, value_text, kind from app.metric where channel_id = 'weather' order by attribute",
    );
    expect(error).toBe('');
    expect(rows).toEqual(
      (await owner.query("select attribute, value, value_text, kind::text from app.metric where channel_id = 'weather' order by attribute"))
        .rows,
    );
    expect(rows).toContainEqual({ attribute: 'old', value: 4, value_text: null, kind: 'n' });
    expect(rows).toHaveLength(4);
  });

  test('without CLICKHOUSE_URL nothing is noted any more', async () => {
    const without = { ...app.ctx, config: { ...app.ctx.config, clickhouseUrl: undefined } };
    // A host that was started without the setting does not switch it off for the others.
    await prepareHistory(without);
    expect(await isNoting(db)).toBe(true);
    await worker.stop();
    await prepareHistory(without);
    expect(await isNoting(db)).toBe(false);
    const { points: before } = await readBacklog(db);
    await owner.query(`
      insert into telemetry.metric_last (device_pk, attribute_id, time, value, kind)
      select min(device.id), 999999, now(), 1, 'n' from telemetry.device; delete from telemetry.metric_last where attribute_id = 999999`);
    expect((await readBacklog(db)).points).toBe(before);
    await expect(moveHistory(db, url)).rejects.toThrow('CLICKHOUSE_URL');
  });
});

/** The same question in a form whose conditions stay outside: relations are named without their schema. */
const everything = (query: string) => query.replaceAll('app.', '');

/** Both databases' numbers and times in one form. */
function plain(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value instanceof Date) return [name, value.toISOString().replace('.000Z', 'Z')];
      return [name, typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value];
    }),
  );
}

/** Sums are added up in another order, so their last digits differ. */
function near(row: Record<string, unknown>): Record<string, unknown> {
  const rounded = (value: number) => expect.closeTo(value, 8 - Math.ceil(Math.log10(Math.abs(value) || 1)));
  return Object.fromEntries(Object.entries(plain(row)).map(([name, value]) => [name, typeof value === 'number' ? rounded(value) : value]));
}
