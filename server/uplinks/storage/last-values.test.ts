import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeDevices } from '../../testing/fleet.ts';
import { servicesOf } from '../../testing/live-server.ts';
import { testApp } from '../../testing/test-app.ts';
import { LastValues } from './last-values.ts';
import { WriteConnection } from './write-connection.ts';

const app = await testApp();
const services = servicesOf(app);
const fleet = await makeDevices(app.ctx, 'weather', 400);
const { rows: attributes } = await sql<{ id: number }>`
  insert into telemetry.attribute (channel_pk, name, kind_seen, first_seen, last_seen) values (${fleet[0]?.channel_pk}, 'temperature', 'n', now(), now())
  returning id`.execute(app.ctx.db);
const attribute_id = attributes[0]?.id ?? 0;
const writer = crypto.randomUUID();
const now = Date.now() * 1000;

const reading = (device_pk: number, value: number, time = now) => ({
  device_pk,
  attribute_id,
  time,
  value,
  text: null,
  kind: 'n' as const,
  uplink_id: null,
});

function connect(): WriteConnection {
  const connection = new WriteConnection(app.databaseUrl, services.log);
  onTestFinished(() => connection.close());
  return connection;
}

const stored = async () => {
  const { rows } = await sql<{ value: number; devices: number }>`
    select value, count(*)::int as devices from telemetry.metric_last group by value order by value`.execute(app.ctx.db);
  return rows;
};
const noPause = async () => {};

describe('design 9: last values', () => {
  test('of many devices are written in several transactions, with a pause after each; a reading that comes meanwhile is not lost', async () => {
    const last = new LastValues();
    const connection = connect();
    for (const { pk } of fleet) last.note(reading(pk, 1));
    const seen: number[] = [];
    await last.write(connection, writer, false, async () => {
      seen.push((await stored()).reduce((sum, { devices }) => sum + devices, 0));
      // The first device has been written, the last one has not.
      last.note(reading(fleet[0]?.pk ?? 0, 2, now + 1));
      last.note(reading(fleet.at(-1)?.pk ?? 0, 2, now + 1));
    });
    expect(seen).toEqual([150, 300]);
    expect(await stored()).toEqual([
      { value: 1, devices: 399 },
      { value: 2, devices: 1 },
    ]);
    await last.write(connection, writer, false, noPause);
    expect(await stored()).toEqual([
      { value: 1, devices: 398 },
      { value: 2, devices: 2 },
    ]);
  });

  test('that could not be written are written the next time, and late readings do not replace them', async () => {
    const last = new LastValues();
    const connection = connect();
    const pk = fleet[1]?.pk ?? 0;
    last.note(reading(pk, 50, now + 10));
    await sql`alter table telemetry.metric_last rename to metric_last_away`.execute(app.ctx.db);
    const writing = last.write(connection, writer, false, noPause);
    last.note(reading(pk, 40, now + 5));
    await expect(writing).rejects.toThrow(/metric_last/);
    await sql`alter table telemetry.metric_last_away rename to metric_last`.execute(app.ctx.db);
    await last.write(connection, writer, false, noPause);
    last.note(reading(pk, 30, now + 6));
    await last.write(connection, writer, false, noPause);
    const { rows } = await sql`select value from telemetry.metric_last where device_pk = ${pk}`.execute(app.ctx.db);
    expect(rows).toEqual([{ value: 50 }]);
  });
});
