import { DataSource, dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { ensureBuiltInSource } from '../data-sources/built-in-source.ts';
import { prepareReader } from '../data-sources/prepare-reader.ts';
import { runAdHoc, runSaved } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
await prepareReader(app.ctx, inject('postgres').superuserUrl);
await ensureBuiltInSource(app.ctx);
const target = await targetDatabase();
await app.startWorker();

const ann = await app.make.user();
const client = app.as(ann);
const sources = DataSource.array().parse(await client.get(dataSourcesApi.list));
const iotData = sources.find(({ type }) => type === 'telltale')?.id ?? 0;
const sourceIn = async (session_time_zone?: string) =>
  (await app.make.dataSource({ options: { ...target.options, session_time_zone } })).id;

/** Two of the zones always have different dates: they are 25 hours apart. */
const ahead = 'Pacific/Kiritimati';
const behind = 'Pacific/Niue';
const zoneOf = async (data_source_id: number, more: object = {}) =>
  (await runAdHoc(client, { data_source_id, query: `select current_setting('TimeZone') as zone`, ...more })).rows?.[0]?.zone;

describe('design 8: time zone of a run', () => {
  test('IoT data runs in the zone of the viewer, and in the organisation’s where none is sent', async () => {
    expect(await zoneOf(iotData, { time_zone: ahead })).toBe(ahead);
    expect(await zoneOf(iotData)).toBe('UTC');
    expect(await zoneOf(iotData, { time_zone: "UTC'; drop table x" })).toBe('UTC');
    await sql`update organizations set settings = settings || '{"time_zone": "Asia/Kolkata"}'`.execute(app.ctx.db);
    expect(await zoneOf(iotData)).toBe('Asia/Kolkata');
    await sql`update organizations set settings = settings - 'time_zone'`.execute(app.ctx.db);
  });

  test('a moment of now is within "Today" in every zone, and days are cut at the viewer’s midnight', async () => {
    const parameters = [{ name: 'day', type: 'datetime-range', value: 'd_today' }] as never;
    const query = await app.make.query({
      user_id: ann.id,
      data_source_id: iotData,
      query: `select date_trunc('day', now()) = '{{day.start}}' as is_today, date_trunc('day', timestamptz '2026-07-01 10:30Z')::text as day`,
      options: { parameters },
    });
    const run = async (time_zone: string) => (await runSaved(client, query.id, { time_zone })).rows;
    expect(await run(ahead)).toEqual([{ is_today: true, day: '2026-07-02 00:00:00+14' }]);
    expect(await run(behind)).toEqual([{ is_today: true, day: '2026-06-30 00:00:00-11' }]);
  });

  test('complaint 62: weeks of dynamic dates begin with the organisation’s first day', async () => {
    const query = await app.make.query({
      user_id: ann.id,
      data_source_id: iotData,
      query: `select extract(dow from timestamp '{{week.start}}')::int as first`,
      options: { parameters: [{ name: 'week', type: 'date-range', value: 'd_last_week' }] as never },
    });
    expect((await runSaved(client, query.id)).rows).toEqual([{ first: 0 }]);
    await sql`update organizations set settings = settings || '{"week_start": "monday"}'`.execute(app.ctx.db);
    expect((await runSaved(client, query.id)).rows).toEqual([{ first: 1 }]);
    await sql`update organizations set settings = settings - 'week_start'`.execute(app.ctx.db);
  });

  test('the zone is part of the cache key of IoT data, and only there', async () => {
    const query = `select 'one text, two zones' as t`;
    const shape = async (data_source_id: number, time_zone: string) =>
      (await runAdHoc(client, { data_source_id, query, max_age: -1, time_zone })).shape;
    await shape(iotData, ahead);
    expect(await shape(iotData, ahead)).toEqual(['query_result']);
    expect(await shape(iotData, behind)).toContain('job');
    const elsewhere = await sourceIn();
    await shape(elsewhere, ahead);
    expect(await shape(elsewhere, behind)).toEqual(['query_result']);
  });

  test('other sources run in UTC, in a fixed zone or in the viewer’s, as their option says', async () => {
    expect(await zoneOf(await sourceIn(), { time_zone: ahead })).toBe('UTC');
    expect(await zoneOf(await sourceIn('Europe/Berlin'), { time_zone: ahead })).toBe('Europe/Berlin');
    expect(await zoneOf(await sourceIn('viewer'), { time_zone: ahead })).toBe(ahead);
    const writing = await app.make.dataSource({ options: { ...target.options, session_time_zone: 'viewer', allow_writes: true } });
    expect(await zoneOf(writing.id, { time_zone: ahead })).toBe(ahead);
    expect(await zoneOf(writing.id)).toBe('UTC');
  });

  test('a zone that does not exist is refused when a source is saved', async () => {
    const body = { name: 'Nowhere', type: 'pg', options: { ...target.options, session_time_zone: 'Mars/Olympus' } };
    const reply = await app.as(await app.make.user({ groups: ['admin'] })).json('POST', '/api/data_sources', body);
    expect([reply.status, await reply.json()]).toEqual([
      400,
      { message: expect.stringContaining('Session time zone must be UTC, viewer, or a zone such as Europe/Berlin.') },
    ]);
  });
});
