import type { MovedAlert, MovedChannel, MovedCommand, MovedDashboard, MovedQuery } from '@telltale/domain/move/contract.ts';
import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

export async function listMovedQueries(db: Db): Promise<MovedQuery[]> {
  const { rows } = await sql<MovedQuery>`
    select queries.id, queries.name, queries.description, queries.query, queries.options, queries.schedule, queries.tags, queries.is_draft,
      case when data_sources.id is null then null
        else jsonb_build_object('id', data_sources.id, 'name', data_sources.name, 'type', data_sources.type) end as data_source,
      coalesce((select jsonb_agg(jsonb_build_object('id', id, 'type', type, 'name', name, 'description', description, 'options', options) order by position, id)
        from visualizations where query_id = queries.id), '[]') as visualizations
    from queries left join data_sources on data_sources.id = data_source_id where not is_archived order by queries.id`.execute(db);
  return rows;
}

export async function listMovedDashboards(db: Db): Promise<MovedDashboard[]> {
  const { rows } = await sql<MovedDashboard>`
    select id, name, tags, is_draft, dashboard_filters_enabled, options,
      coalesce((select jsonb_agg(jsonb_build_object('visualization_id', visualization_id, 'text', text, 'width', width, 'options', options) order by id)
        from widgets where dashboard_id = dashboards.id), '[]') as widgets
    from dashboards where not is_archived order by id`.execute(db);
  return rows;
}

export async function listMovedAlerts(db: Db): Promise<MovedAlert[]> {
  const { rows } = await sql<MovedAlert>`select id, name, query_id, options, rearm from alerts order by id`.execute(db);
  return rows;
}

/** Without keys, variables of devices (they may hold secrets) and ids of networks (they are others elsewhere). */
export async function listMovedChannels(db: Db): Promise<MovedChannel[]> {
  const { rows } = await sql<MovedChannel>`
    select channel_id, channel_name, kind, settings.disabled_at is not null as is_disabled,
      jsonb_build_object('auto_create', coalesce(auto_create, false), 'thingsboard_topics', coalesce(thingsboard_topics, false),
        'ack_points', coalesce(ack_points, false), 'application_id', application_id, 'metadata', coalesce(metadata, 'basic'),
        'retention_days', retention_days) as settings,
      case when networks.id is not null then jsonb_build_object('name', networks.name, 'type', networks.type) end as network,
      (select jsonb_build_object('script', script, 'examples', examples, 'is_overridden', is_overridden)
        from decoders join decoder_versions using (channel_pk, version) where channel_pk = channel.id and script ~ '\\S') as decoder,
      coalesce((select jsonb_agg(jsonb_build_object('attribute', name, 'kind', kind_seen::text, 'unit', display->'unit',
          'decimals', display->'decimals', 'thresholds', coalesce(display->'thresholds', '[]')) order by name)
        from telemetry.attribute where channel_pk = channel.id and display is not null), '[]') as attributes,
      coalesce((select jsonb_agg(jsonb_build_object('device_id', device_id, 'device_name', device_name, 'dev_eui', dev_eui,
          'settings', jsonb_build_object('tags', tags, 'online_window_seconds', online_window_seconds),
          'layout', case when widgets is not null then jsonb_build_object('widgets', widgets) end) order by device.id)
        from telemetry.device left join device_dashboards on device_pk = device.id where channel_pk = channel.id and device.deleted_at is null), '[]') as devices
    from telemetry.channel left join channel_settings settings on settings.channel_pk = channel.id
    left join networks on networks.id = settings.network_id
    where deleted_at is null order by channel.id`.execute(db);
  return rows;
}

/** One-time schedules whose time is over stay out: nothing is left of them to do. */
export async function listMovedCommands(db: Db): Promise<MovedCommand[]> {
  const { rows } = await sql<MovedCommand>`
    select commands.id, commands.name, channel.channel_id, fport, mode, confirm, payload, retry_enabled, retry_count, retry_until,
      retry_wait_seconds, skip_if_true, ttl_seconds,
      array(select device_id from command_devices join telemetry.device on device.id = device_pk
        where command_id = commands.id and device.deleted_at is null order by place) as device_ids,
      coalesce((select jsonb_agg(jsonb_build_object('type', type, 'name', schedule.name, 'timezone', timezone, 'schedule', schedule.schedule,
          'channel_id', watched.channel_id, 'device_id', reporter.device_id, 'attribute', attribute, 'operator', operator, 'value', value,
          'condition', case when attribute is null then condition end, 'hold_seconds', hold_seconds, 'clear_value', clear_value,
          'cooldown_seconds', cooldown_seconds) order by schedule.id)
        from command_schedules schedule left join telemetry.channel watched on watched.id = schedule.channel_pk
        left join telemetry.device reporter on reporter.id = schedule.device_pk
        where command_id = commands.id and (type <> 'o' or next_run_at is not null)), '[]') as schedules,
      coalesce((select jsonb_agg(jsonb_build_object('name', alerts.name, 'on', fires_on) order by link.id)
        from alert_commands link join alerts on alerts.id = alert_id where command_id = commands.id), '[]') as alerts
    from commands join telemetry.channel on channel.id = channel_pk where channel.deleted_at is null order by commands.id`.execute(db);
  return rows;
}

export type OwnSource = Columns<'data_sources', 'id' | 'name' | 'type'>;

export async function listOwnSources(db: Db): Promise<OwnSource[]> {
  const { rows } = await sql<OwnSource>`select id, name, type from data_sources order by id`.execute(db);
  return rows;
}

/** Channels and devices go by their names: reports have no number for them. */
export const noId = 0;

/** Names that are taken, so that importing twice makes nothing twice. */
export async function listTakenNames(db: Db): Promise<{ kind: string; name: string; id: number }[]> {
  const { rows } = await sql<{ kind: string; name: string; id: number }>`
    select 'query' as kind, name, id from queries where not is_archived
    union all select 'dashboard', name, id from dashboards where not is_archived
    union all select 'alert', name, id from alerts
    union all select 'command', channel_id || '/' || name, commands.id
      from commands join telemetry.channel on channel.id = channel_pk where deleted_at is null
    union all select 'group', name, id from groups
    union all select 'user', lower(email), id from users
    union all select 'channel', channel_id, ${noId}::int from telemetry.channel where deleted_at is null`.execute(db);
  return rows;
}
