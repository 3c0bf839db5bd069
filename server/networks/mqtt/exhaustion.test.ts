import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { testBroker } from '../../testing/broker.ts';
import { makeDevices } from '../../testing/fleet.ts';
import { testApp } from '../../testing/test-app.ts';
import { newDeviceKey } from '../device-key.ts';

const limits = { TELLTALE_CHANNEL_DEVICES: '3', TELLTALE_CHANNEL_ATTRIBUTES: '4', TELLTALE_KEPT_SESSIONS: '2' };
const app = await testApp({ env: { DATABASE_URL: inject('postgres').url, ...limits } });
const [first] = await makeDevices(app.ctx, 'farm', 1);
const channelPk = first?.channel_pk ?? 0;
const { api_key, record } = newDeviceKey(app.ctx.secrets);
await sql`
  update channel_settings set auto_create = true, lookup_id = ${record.lookup_id}, key_hash = ${record.key_hash}, key_sealed = ${record.key_sealed}
  where channel_pk = ${channelPk}`.execute(app.ctx.db);
const mqtt = await testBroker(app);
const gateway = (settings: object = {}) => mqtt.open({ username: 'farm', password: api_key, ...settings });

const rejections = async () =>
  (
    await sql<{ device_id: string; code: string; message: string }>`
      select device_id, code, message from telemetry.uplink_rejected where channel_pk = ${channelPk} order by uplink_id`.execute(app.ctx.db)
  ).rows;
const one = async <T>(query: ReturnType<typeof sql<T>>) => (await query.execute(app.ctx.db)).rows[0];

describe('security 32: what a gateway key can use up is bounded', () => {
  test('a channel makes so many devices by itself, and no more; the message log says why', async () => {
    const client = await gateway();
    for (const name of ['one', 'two', 'three', 'four']) await client.publishAsync(`v1/farm/devices/auto-${name}/up`, '{"t":1}', { qos: 1 });
    const found = await sql<{
      device_id: string;
    }>`select device_id from telemetry.device where channel_pk = ${channelPk} order by id`.execute(app.ctx.db);
    expect(found.rows.map(({ device_id }) => device_id)).toEqual(['d-00000', 'auto-one', 'auto-two']);
    const message = 'The channel has as many devices as it may; no more are made by themselves.';
    expect(await rejections()).toEqual(['three', 'four'].map((name) => ({ device_id: `auto-${name}`, code: 'too_many_devices', message })));
    await client.publishAsync('v1/farm/devices/auto-one/up', '{"t":2}', { qos: 1 });
    expect(await rejections()).toHaveLength(2);
    const http = await fetch(`${app.origin}/api/v1/farm/devices/auto-five/up`, {
      method: 'POST',
      headers: { authorization: `Key ${api_key}` },
      body: '{"t":1}',
    });
    expect([http.status, await http.json()]).toMatchObject([403, { code: 'too_many_devices' }]);
  });

  test('a flood of names that are not there is counted, and only some of it written down', async () => {
    const client = await gateway();
    const before = (await rejections()).length;
    await Promise.all(Array.from({ length: 900 }, (_, i) => client.publishAsync(`v1/farm/devices/nobody-${i}/up`, '{"t":1}', { qos: 1 })));
    expect((await rejections()).length - before).toBeLessThan(700);
    const counted = await one(sql<{ n: number }>`select sum((codes ->> 'too_many_devices')::int)::int as n from ingest_marks`);
    expect(counted?.n).toBeGreaterThanOrEqual(900);
  });

  test('a channel has so many attributes; known ones are stored, the others named in the message', async () => {
    const client = await gateway();
    const publish = (values: object) => client.publishAsync('v1/farm/devices/auto-one/up', JSON.stringify(values), { qos: 1 });
    await publish({ t: 1, a: 1, b: 1, c: 1, d: 1, e: 1 });
    await publish({ t: 2, zzz: 1 });
    const names = await sql<{ name: string }>`
      select name from telemetry.attribute where channel_pk = ${channelPk} and name not like 'sys.%' order by name`.execute(app.ctx.db);
    expect(names.rows.length).toBeLessThanOrEqual(4);
    expect(names.rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['t', 'a', 'b']));
    const stored = await sql<{ status: string; errors: string[] }>`
      select status, errors from telemetry.uplink order by uplink_id desc limit 2`.execute(app.ctx.db);
    expect(stored.rows).toEqual([
      { status: 'partial', errors: ['too_many_attributes: zzz not stored'] },
      { status: 'partial', errors: [expect.stringMatching(/^too_many_attributes: /)] },
    ]);
    const points = await one(
      sql<{ n: number }>`select count(*)::int as n from telemetry.metric_point join telemetry.attribute on attribute.id = attribute_id
        where name = 't' and value = 2`,
    );
    expect(points?.n).toBeGreaterThan(0);
  });

  test('a key keeps so many sessions: the oldest go, and the message log says so', async () => {
    for (const clientId of ['s1', 's2', 's3', 's4']) {
      const client = await gateway({ clientId, clean: false });
      await client.subscribeAsync('v1/farm/devices/auto-one/down', { qos: 1 });
      await client.endAsync();
    }
    const kept = await sql<{ client_id: string }>`select client_id from mqtt_sessions order by client_id`.execute(app.ctx.db);
    expect(kept.rows.map(({ client_id }) => client_id)).toEqual([`c${channelPk}/s3`, `c${channelPk}/s4`]);
    const told = async () => (await rejections()).filter(({ code }) => code === 'too_many_sessions').map(({ message }) => message);
    await expect
      .poll(told)
      .toEqual(
        Array(2).fill(
          'A key keeps at most 2 sessions; the oldest one was forgotten. Use the same client id each time, or clean sessions. (from 127.0.0.1)',
        ),
      );
  });
});
