import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { sql } from 'kysely';
import { inject } from 'vitest';
import { startClickhouse } from '../../connectors/testing/clickhouse-server.ts';
import type { Program } from '../../connectors/testing/program.ts';
import { ensureBuiltInSource } from '../../data-sources/built-in-source.ts';
import { prepareReader } from '../../data-sources/prepare-reader.ts';
import type { Db } from '../../platform/database.ts';
import { tcpProxy } from '../../testing/tcp-proxy.ts';
import { testApp } from '../../testing/test-app.ts';
import { prepareHistory } from '../history.ts';
import { Shipper } from '../shipper.ts';

/** A console that keeps its readings in a real ClickHouse, to which a test can cut the way. */
export async function historyApp() {
  const clickhouse: Program = await startClickhouse('UTC');
  const way = await tcpProxy(`http://127.0.0.1:${clickhouse.port}/telltale`);
  const app = await testApp({ env: { CLICKHOUSE_URL: way.url } });
  await prepareReader(app.ctx, inject('postgres').superuserUrl);
  await ensureBuiltInSource(app.ctx);
  await prepareHistory(app.ctx);
  const sender = new Shipper(way.url);
  const shipper = {
    /** Sends all that waits; millions of readings take several turns. */
    async ship(db: Db): Promise<number> {
      let sent = 0;
      for (let turn = await sender.ship(db); turn > 0; turn = await sender.ship(db)) sent += turn;
      return sent;
    },
  };
  const stop = async () => {
    await way.stop();
    await clickhouse.stop();
  };
  return { app, clickhouse, way, shipper, url: way.url, stop };
}

/** A process that sends what waits, until it is killed. */
export function startSending(databaseUrl: string, url: string): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, 'send-forever.ts'), databaseUrl, url], { stdio: 'ignore' });
}

/** Inserts readings of two channels with ten devices each; numbers, switches, texts and gaps. */
export async function makeReadings(db: Db, points: number): Promise<void> {
  // Millions lie closer together: what they are rolled up to is counted in one go.
  const stepSeconds = points > 300_000 ? 11 : 97;
  await sql`
    insert into telemetry.channel (channel_id, channel_name, kind) values ('harbour', 'Harbour', 'mqtt'), ('vault', 'The "vault"', 'http')`.execute(
    db,
  );
  await sql`
    insert into telemetry.device (channel_pk, device_id, device_name) select channel.id, 'dev-' || n, 'Device ' || n || ' of ' || channel_id
    from telemetry.channel, generate_series(0, 9) n`.execute(db);
  await sql`
    insert into telemetry.attribute (channel_pk, name, kind_seen, first_seen, last_seen)
    select channel.id, name, (case name when 'note' then 's' else 'n' end)::"char", now(), now() from telemetry.channel, unnest(array['temperature', 'air.humidity', 'relay', 'note', 'volts']) name`.execute(
    db,
  );
  await sql`
    insert into telemetry.device_attribute (device_pk, attribute_id, first_seen, last_seen, last_kind)
    select device.id, attribute.id, now(), now(), kind_seen from telemetry.device join telemetry.attribute using (channel_pk)`.execute(db);
  await sql`create table telemetry.metric_point_test partition of telemetry.metric_point for values from ('2026-09-28') to ('2026-11-02')`.execute(
    db,
  );
  for (const table of ['metric_minute', 'metric_hour'])
    await sql
      .raw(`create table telemetry.${table}_test partition of telemetry.${table} for values from ('2026-09-28') to ('2026-11-02')`)
      .execute(db);
  await sql`
    insert into telemetry.metric_point (time, device_pk, attribute_id, value, value_text, kind, uplink_id)
    select '2026-10-01 00:00:07+00'::timestamptz + (n / 100) * ${stepSeconds} * interval '1 second', series.device_pk, series.attribute_id,
      case name when 'note' then null when 'relay' then n % 2 else ((n::bigint * 7919) % 10007) / 100.0 end,
      case when name = 'note' then E'tab\there ''' || n % 7 end,
      (case name when 'note' then 's' when 'relay' then 'b' else 'n' end)::"char", case when n % 3 = 0 then 'uplink-' || n end
    from generate_series(0, ${points - 1}::int) n
    join (select device.id as device_pk, attribute.id as attribute_id, name, row_number() over (order by device.id, attribute.id) - 1 as place
      from telemetry.device join telemetry.attribute using (channel_pk)) series on series.place = n % 100`.execute(db);
  await sql`
    insert into telemetry.metric_last select distinct on (device_pk, attribute_id) device_pk, attribute_id, time, value, value_text, kind, uplink_id
    from telemetry.metric_point order by device_pk, attribute_id, time desc`.execute(db);
  await sql`
    insert into telemetry.rollup_due (device_pk, from_time, to_time) select device_pk, min(time), max(time) from telemetry.metric_point
    group by device_pk, date_trunc('hour', time)`.execute(db);
}

/** Adds a reading each ten minutes from 3 to 15 October, so that conditions on times have something to leave out. */
export async function spreadReadings(db: Db): Promise<void> {
  await sql`
    insert into telemetry.metric_point (time, device_pk, attribute_id, value, kind)
    select '2026-10-03 00:00:30.5+00'::timestamptz + n * interval '10 minutes', device.id, attribute.id, n % 101, 'n'
    from generate_series(0, 1799) n, telemetry.device join telemetry.attribute using (channel_pk) join telemetry.channel on channel.id = channel_pk
    where channel_id = 'harbour' and device_id = 'dev-0' and name = 'temperature'`.execute(db);
  await sql`
    insert into telemetry.rollup_due (device_pk, from_time, to_time) select device_pk, min(time), max(time) from telemetry.metric_point
    where time >= '2026-10-03' group by device_pk, date_trunc('hour', time)`.execute(db);
}
