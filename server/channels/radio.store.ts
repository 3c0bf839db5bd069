import type { HeardGateway, RadioFrame } from '@telltale/domain/channels/data-contract.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

/** More than a chart can show; the newest are kept. */
const mostFrames = 2000;
const mostGateways = 200;

const number = (path: string) => sql.raw(`case when jsonb_typeof(${path}) = 'number' then (${path})::float8 end`);

/**
 * Lists the frames of a device with the gaps between their counters. A counter only grows within a session, so the numbers between two
 * neighbours were lost, even when one of the frames came late.
 */
export async function readRadioFrames(
  db: Db,
  devicePk: number,
  since: Date,
): Promise<{ frames: RadioFrame[]; received: number; lost: number }> {
  const { rows } = await sql<RadioFrame>`
    with heard as (
      select time, fcnt, meta ->> 'session' as session, meta -> 'lora' as lora,
        case when jsonb_typeof(meta -> 'gateways') = 'array' then jsonb_array_length(meta -> 'gateways') else 0 end as gateways
      from telemetry.uplink
      where device_pk = ${devicePk} and received_at > ${since.toISOString()} and jsonb_typeof(meta -> 'lora') = 'object'
      order by received_at desc limit ${mostFrames})
    select time, ${number("lora -> 'rssi'")} as rssi, ${number("lora -> 'snr'")} as snr, ${number("lora -> 'sf'")} as sf, fcnt, gateways,
      greatest(0, coalesce(fcnt - lag(fcnt) over (partition by session order by fcnt) - 1, 0))::int as lost
    from heard order by time`.execute(db);
  return { frames: rows, received: rows.length, lost: rows.reduce((sum, { lost }) => sum + lost, 0) };
}

/** Lists the gateways that heard the device, best first. */
export async function readRadioGateways(db: Db, devicePk: number, since: Date): Promise<HeardGateway[]> {
  const { rows } = await sql<HeardGateway>`
    with heard as (
      select time, meta -> 'gateways' as gateways from telemetry.uplink
      where device_pk = ${devicePk} and received_at > ${since.toISOString()} and jsonb_typeof(meta -> 'lora') = 'object'
        and jsonb_typeof(meta -> 'gateways') = 'array'
      order by received_at desc limit ${mostFrames}),
    each as (select time, gateway from heard cross join lateral jsonb_array_elements(gateways) as gateway)
    select gateway ->> 'gateway_id' as gateway_id, count(*)::int as uplinks, avg(${number("gateway -> 'rssi'")}) as rssi,
      avg(${number("gateway -> 'snr'")}) as snr, max(time) as last_heard_at,
      (array_agg(${number("gateway -> 'latitude'")} order by time desc))[1] as latitude,
      (array_agg(${number("gateway -> 'longitude'")} order by time desc))[1] as longitude
    from each where gateway ->> 'gateway_id' is not null
    group by 1 order by uplinks desc, snr desc nulls last limit ${mostGateways}`.execute(db);
  return rows;
}
