import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

export interface SilenceChange {
  alert_id: number;
  device_pk: number;
  is_silent: boolean;
  last_seen_at: string | null;
}

/** The shortest interval between repeated notices about a silence with rearm 1: no readings pace them. */
const leastRepeatSeconds = 60;

/**
 * Lists changes for alerts on silence. The last-seen times are written once a second and may lag, so apparently silent devices are looked
 * up among the uplinks as well. A device that has never reported is silent since its creation. Devices in order have no row; only the first
 * one that is heard gets a row, so that the alert is no longer `unknown`.
 */
export async function listSilenceChanges(db: Db, limit: number): Promise<SilenceChange[]> {
  const { rows } = await sql<SilenceChange>`
    with watched as (
      select alerts.id as alert_id, alerts.state as alert_state, device.id as device_pk, seen.last_seen_at, own.state, own.last_triggered_at, rearm,
        make_interval(secs => (alerts.options ->> 'silent_seconds')::int) as span,
        coalesce(seen.last_seen_at, device.created_at) < now() - make_interval(secs => (alerts.options ->> 'silent_seconds')::int) as is_silent,
        row_number() over (partition by alerts.id order by seen.last_seen_at desc nulls last) as place
      from alerts join telemetry.channel on channel.id = alerts.channel_pk and channel.deleted_at is null
      join telemetry.device on device.channel_pk = channel.id and device.deleted_at is null
        and (jsonb_array_length(alerts.options -> 'device_ids') = 0 or alerts.options -> 'device_ids' ? device_id)
      left join telemetry.device_state seen on seen.device_pk = device.id
      left join alert_devices own on own.alert_id = alerts.id and own.device_pk = device.id
      where alerts.kind = 'silence')
    select alert_id, device_pk, is_silent, last_seen_at from watched
    where case
      when is_silent and state is distinct from 'triggered' then
        not exists (select from telemetry.uplink where uplink.device_pk = watched.device_pk and received_at > now() - span)
      when is_silent then rearm > 0 and last_triggered_at <= now() - make_interval(
        secs => case rearm when 1 then greatest(extract(epoch from span), ${leastRepeatSeconds}) else rearm end)
      when state = 'triggered' then true
      else alert_state = 'unknown' and place = 1 end
    order by alert_id, device_pk limit ${limit}`.execute(db);
  return rows;
}
