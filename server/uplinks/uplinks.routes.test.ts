import { adminApi } from '@telltale/domain/admin/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { newDeviceKey } from '../networks/device-key.ts';
import { type MadeDevice, makeDevices } from '../testing/fleet.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp({ env: { TELLTALE_RATE_DEVICE: '1:5' } });
const fleet = await makeDevices(app.ctx, 'weather', 20);
let used = 0;
const aDevice = () => fleet[used++] as MadeDevice;
const post = async (
  { channel_id, device_id, api_key }: MadeDevice,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  key = `Key ${api_key}`,
) => {
  const reply = await fetch(`${app.origin}/api/v1/${channel_id}/devices/${device_id}${path}`, {
    method: 'POST',
    headers: { authorization: key },
    body,
  });
  return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Record<string, unknown> };
};

describe('iot-behaviour 1.12: HTTP twin', () => {
  test('the same bodies, answered after they are on disk', async () => {
    const device = aDevice();
    expect(await post(device, '/up', '{"t":1}')).toMatchObject({
      status: 200,
      body: { status: 'stored', points: 1, warnings: [], errors: [] },
    });
    expect(await post(device, '/up/senml', '[{"n":"h","v":2}]')).toMatchObject({ status: 200, body: { points: 1 } });
    expect(await post(device, '/up/lpp', Uint8Array.from([1, 103, 0, 200]))).toMatchObject({ status: 200, body: { points: 1 } });
    expect(await post(device, '/up/raw/9', Uint8Array.from([0, 255, 128]))).toMatchObject({ status: 200, body: { points: 0 } });
    const { rows } = await sql`
      select encoding, source, fport, encode(raw, 'hex') as raw from app.uplink where device_id = ${device.device_id} order by uplink_id`.execute(
      app.ctx.db,
    );
    expect(rows).toMatchObject([
      { encoding: 'json', source: 'http', fport: null },
      { encoding: 'senml' },
      { encoding: 'lpp', raw: '016700c8' },
      { encoding: 'raw', fport: 9, raw: '00ff80' },
    ]);
  });

  test('an id that was stored before is a duplicate', async () => {
    const device = aDevice();
    const first = await post(device, '/up', '{"id":"x","t":1}');
    expect(await post(device, '/up', '{"id":"x","t":1}')).toMatchObject({
      status: 200,
      body: { status: 'duplicate', uplink_id: first.body.uplink_id },
    });
  });

  test.each([
    ['{', 400, 'bad_json'],
    ['', 400, 'bad_json'],
    ['[1]', 400, 'bad_shape'],
    ['{"ts":"never","a":1}', 400, 'bad_time'],
    [`"${'x'.repeat(70_000)}"`, 413, 'too_large'],
    [`[${Array(501).fill('{"a":1}').join()}]`, 413, 'too_many_points'],
  ])('%.20s is %i %s', async (body, status, code) => {
    expect(await post(aDevice(), '/up', body)).toMatchObject({ status, body: { code } });
  });

  test.each(['', 'Key', `Key ${'x'.repeat(40)}`, 'Key short', 'Bearer x'])('the key %j opens nothing', async (key) => {
    expect((await post(fleet[0] as MadeDevice, '/up', '1', key)).status).toBe(401);
  });

  test('keys of other devices and of people open nothing', async () => {
    const [device, other] = [fleet[0] as MadeDevice, fleet[1] as MadeDevice];
    expect((await post(device, '/up', '1', `Key ${other.api_key}`)).status).toBe(401);
    expect((await post(device, '/up', '1', `Key ${app.admin.api_key}`)).status).toBe(401);
    expect((await post({ ...device, channel_id: 'other' }, '/up', '1')).status).toBe(401);
  });

  test('too fast is 429 with a time to come back; a disabled device 403; an unknown one of a gateway 404', async () => {
    const [fast, disabled] = [aDevice(), aDevice()];
    const statuses = [];
    for (let n = 0; n < 8; n++) statuses.push((await post(fast, '/up', `${n}`)).status);
    expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200]);
    expect(statuses).toContain(429);
    expect((await post(fast, '/up', '1')).headers.get('retry-after')).toBe('1');
    await sql`update device_keys set disabled_at = now() where device_pk = ${disabled.pk}`.execute(app.ctx.db);
    await expect.poll(async () => (await post(disabled, '/up', '1')).status).toBe(403);
    const { api_key, record } = newDeviceKey(app.ctx.secrets);
    await sql`
      update channel_settings set lookup_id = ${record.lookup_id}, key_hash = ${record.key_hash}, key_sealed = ${record.key_sealed}
      where channel_pk = ${fast.channel_pk}`.execute(app.ctx.db);
    expect(await post({ ...fast, device_id: 'nobody', api_key }, '/up', '1')).toMatchObject({
      status: 404,
      body: { code: 'unknown_device' },
    });
    expect((await post({ ...(fleet[19] as MadeDevice), api_key }, '/up', '1')).status).toBe(200);
  });

  test('without a command there is nothing to take', async () => {
    const { channel_id, device_id, api_key } = fleet[18] as MadeDevice;
    const address = `${app.origin}/api/v1/${channel_id}/devices/${device_id}/down`;
    expect((await fetch(`${address}?wait=0.1`, { headers: { authorization: `Key ${api_key}` } })).status).toBe(204);
    expect((await fetch(address)).status).toBe(401);
  });

  test('design 8: the figures on /metrics and in /status.json add up', async () => {
    const text = await (await app.anonymous().fetch('/metrics')).text();
    const figure = (name: string) =>
      [...text.matchAll(new RegExp(`^telltale_uplinks_${name}_total(?:\\{[^}]*\\})? (\\d+)$`, 'gm'))].reduce(
        (sum, [, n]) => sum + Number(n),
        0,
      );
    expect(figure('received')).toBeGreaterThan(10);
    expect(figure('received')).toBe(figure('stored') + figure('duplicate') + figure('rejected'));
    expect(text).toContain('telltale_uplinks_rejected_total{code="bad_json"}');
    const { uplinks } = await app.as(app.admin).get(adminApi.status);
    const refused = Object.values(uplinks.rejected).reduce((sum, count) => sum + count, 0);
    expect([uplinks.received, uplinks.stored, refused]).toEqual([figure('received'), figure('stored'), figure('rejected')]);
  });
});
