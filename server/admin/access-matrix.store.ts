import type { AccessObject } from '@telltale/domain/admin/access-contract.ts';
import type { ListParams, Page } from '@telltale/domain/lists/contract.ts';
import type { QueryOptions } from '@telltale/domain/parameters/contract.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database.ts';
import { listPage, substringPattern } from '../platform/lists.ts';

export interface ListedObject {
  id: string;
  name: string;
  facts: Record<string, unknown> & { query?: { text: string; parameters: QueryOptions['parameters'] } };
}

const groupsOf = (source: string) => sql`coalesce((
  select jsonb_agg(jsonb_build_object('group_id', group_id, 'view_only', view_only)) from data_source_groups
  where data_source_id = ${sql.ref(`${source}.id`)}), '[]')`;
const sourceOf = sql`(select jsonb_build_object('type', data_sources.type, 'groups', ${groupsOf('data_sources')})
  from data_sources where data_sources.id = queries.data_source_id)`;
const grantsOf = (type: string) => sql`coalesce((
  select jsonb_agg(jsonb_build_object('grantee', grantee_id, 'access_type', access_type)) from access_permissions
  where object_type = ${type} and object_id = ${sql.ref(`${type}.id`)}), '[]')`;
const queryFacts = sql`jsonb_build_object('id', queries.id, 'user_id', queries.user_id, 'is_draft', queries.is_draft, 'source', ${sourceOf},
  'grants', ${grantsOf('queries')})`;

/** For each kind of object: its table, its name, and the facts that the policy needs. */
const kinds: Record<
  AccessObject,
  { from: RawBuilder<unknown>; id: RawBuilder<unknown>; name: RawBuilder<unknown>; facts: RawBuilder<unknown> }
> = {
  data_source: {
    from: sql`data_sources`,
    id: sql`data_sources.id`,
    name: sql`data_sources.name`,
    facts: sql`jsonb_build_object('type', data_sources.type, 'groups', ${groupsOf('data_sources')})`,
  },
  query: {
    from: sql`queries`,
    id: sql`queries.id`,
    name: sql`queries.name`,
    facts: sql`${queryFacts} || jsonb_build_object('query', jsonb_build_object('text', queries.query, 'parameters',
      coalesce(queries.options->'parameters', '[]')))`,
  },
  dashboard: {
    from: sql`dashboards`,
    id: sql`dashboards.id`,
    name: sql`dashboards.name`,
    facts: sql`jsonb_build_object('id', dashboards.id, 'user_id', dashboards.user_id, 'is_draft', dashboards.is_draft, 'grants', ${grantsOf('dashboards')},
      'shows', coalesce((select jsonb_agg(${sourceOf}) from widgets join visualizations on visualizations.id = visualization_id
        join queries on queries.id = query_id where dashboard_id = dashboards.id and queries.data_source_id is not null), '[]'))`,
  },
  channel: {
    from: sql`telemetry.channel`,
    id: sql`channel.channel_id`,
    name: sql`channel.channel_name`,
    facts: sql`jsonb_build_object('channel_pk', channel.id)`,
  },
  alert: {
    from: sql`alerts`,
    id: sql`alerts.id`,
    name: sql`alerts.name`,
    facts: sql`jsonb_build_object('user_id', alerts.user_id, 'channel_pk', alerts.channel_pk,
      'query', (select ${queryFacts} from queries where queries.id = alerts.query_id))`,
  },
  command: {
    from: sql`commands join telemetry.channel on channel.id = channel_pk`,
    id: sql`commands.id`,
    name: sql`commands.name`,
    facts: sql`jsonb_build_object('channel_pk', channel_pk)`,
  },
};

const isThere: Partial<Record<AccessObject, RawBuilder<unknown>>> = {
  query: sql`not queries.is_archived`,
  dashboard: sql`not dashboards.is_archived`,
  channel: sql`channel.deleted_at is null`,
  command: sql`channel.deleted_at is null`,
};

export function listObjects(db: Db, type: AccessObject, params: ListParams): Promise<Page<ListedObject>> {
  const { from, id, name, facts } = kinds[type];
  const pattern = substringPattern(params.q);
  const where = sql`${isThere[type] ?? sql`true`} and (${pattern}::text is null or ${name} ilike ${pattern})`;
  return listPage(db, params, {
    fields: sql<ListedObject>`${id}::text as id, ${name} as name, ${facts} as facts`,
    from,
    where,
    order: sql`lower(${name}), ${id}`,
  });
}

export interface AccessPerson {
  id: number;
  name: string;
  email: string;
  is_disabled: boolean;
  groups: { id: number; name: string; all_channels: boolean; gives: string[] }[];
}

export async function findAccessPerson(db: Db, id: number): Promise<AccessPerson | undefined> {
  const { rows } = await sql<AccessPerson>`
    select id, name, email, disabled_at is not null as is_disabled, coalesce((
      select jsonb_agg(jsonb_build_object('id', groups.id, 'name', groups.name, 'all_channels', all_channels, 'gives', permissions)
        order by groups.name) from memberships join groups on groups.id = group_id where user_id = users.id), '[]') as groups
    from users where id = ${id}`.execute(db);
  return rows[0];
}
