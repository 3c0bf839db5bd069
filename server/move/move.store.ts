import type { MovedAlert, MovedChannel, MovedDashboard, MovedQuery } from '@telltale/domain/move/contract.ts';
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

export async function listMovedChannels(db: Db): Promise<MovedChannel[]> {
  const { rows } = await sql<MovedChannel>`
    select channel_id, channel_name, kind,
      coalesce((select jsonb_agg(jsonb_build_object('device_id', device_id, 'device_name', device_name, 'dev_eui', dev_eui) order by device.id)
        from telemetry.device where channel_pk = channel.id and device.deleted_at is null), '[]') as devices
    from telemetry.channel where deleted_at is null order by id`.execute(db);
  return rows;
}

export type OwnSource = Columns<'data_sources', 'id' | 'name' | 'type'>;

export async function listOwnSources(db: Db): Promise<OwnSource[]> {
  const { rows } = await sql<OwnSource>`select id, name, type from data_sources order by id`.execute(db);
  return rows;
}

/** Names that are taken, so that importing twice makes nothing twice. */
export async function listTakenNames(db: Db): Promise<{ kind: string; name: string; id: number }[]> {
  const { rows } = await sql<{ kind: string; name: string; id: number }>`
    select 'query' as kind, name, id from queries where not is_archived
    union all select 'dashboard', name, id from dashboards where not is_archived
    union all select 'alert', name, id from alerts
    union all select 'group', name, id from groups
    union all select 'user', lower(email), id from users`.execute(db);
  return rows;
}
