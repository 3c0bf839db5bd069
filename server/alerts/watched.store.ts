import type { AlertState, DeviceAlertOptions, SilenceAlertOptions } from '@telltale/domain/alerts/options.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

export interface WatchedRow {
  id: number;
  channel_pk: number;
  options: DeviceAlertOptions | SilenceAlertOptions;
  rearm: number | null;
  state: AlertState;
  armed_at: string;
  states: { device_pk: number; state: AlertState | 'pending'; newsAt: number; at: number }[];
}

/** Lists all alerts on devices, with the stored states of their devices. */
export async function listWatched(db: Db): Promise<WatchedRow[]> {
  const { rows } = await sql<WatchedRow>`
    select alerts.id, alerts.channel_pk, alerts.options, alerts.rearm, alerts.state, alerts.armed_at, coalesce(known.states, '[]') as states
    from alerts join telemetry.channel on channel.id = channel_pk and channel.deleted_at is null
    left join lateral (
      select jsonb_agg(jsonb_build_object('device_pk', device_pk, 'state', case when due_at is null then alert_devices.state else 'pending' end,
        'newsAt', coalesce(round(extract(epoch from alert_devices.last_triggered_at) * 1000), 0),
        'at', coalesce(extract(epoch from value_at) * 1000, 0))) as states
      from alert_devices where alert_id = alerts.id) known on true
    where alerts.kind <> 'query' order by alerts.id`.execute(db);
  return rows;
}
