import type { FleetSummary } from '@telltale/domain/channels/fleet-contract.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';
import type { Condition } from '../policy/rule.ts';
import { stateOf } from './devices.store.ts';

/** `visible` is the policy's condition on channels, so that only channels visible to the caller count. */
export async function countFleet(db: Db, visible: Condition, since: Date): Promise<FleetSummary> {
  const { rows } = await sql<FleetSummary>`
    with fleet as materialized (
      select device.id, device_id, channel_id, device.created_at, ${stateOf} as doing, state.last_seen_at is not null as was_seen
      from telemetry.device join telemetry.channel on channel.id = device.channel_pk
      left join telemetry.device_state state on state.device_pk = device.id
      where device.deleted_at is null and channel.deleted_at is null and ${visible}),
    rejected as (
      select count(*)::int as count from telemetry.uplink_rejected
      where time >= ${since.toISOString()} and channel_pk in (select channel.id from telemetry.channel where deleted_at is null and ${visible}))
    select count(*)::int as devices, count(*) filter (where doing = 'connected')::int as connected,
      count(*) filter (where doing = 'reporting')::int as reporting, count(*) filter (where doing = 'late')::int as late,
      count(*) filter (where doing = 'silent')::int as silent, count(*) filter (where was_seen)::int as seen,
      (select count from rejected) as rejected,
      (select jsonb_build_object('channel_id', channel_id, 'device_id', device_id) from fleet order by created_at desc, id desc limit 1) as newest
    from fleet`.execute(db);
  if (!rows[0]) throw new Error('A count has a row.');
  return rows[0];
}
