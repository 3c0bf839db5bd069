import type { StoredEvent } from '@telltale/domain/events/contract.ts';
import type { ListParams, Page } from '@telltale/domain/lists/contract.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';
import { listPage } from '../platform/lists.ts';

export interface NewEvent {
  user_id: number | null;
  action: string;
  object_type: string;
  object_id: string | null;
  properties: Record<string, unknown>;
}

export const insertEvent = (db: Db, { user_id, action, object_type, object_id, properties }: NewEvent) =>
  sql`
    insert into events (org_id, user_id, action, object_type, object_id, properties)
    select id, ${user_id}, ${action}, ${object_type}, ${object_id}, ${JSON.stringify(properties)}::jsonb
    from organizations limit 1`.execute(db);

/** Inserts events of one user in one statement, each with the time when it happened. */
export const insertEvents = (db: Db, orgId: number, userId: number | null, events: (Omit<NewEvent, 'user_id'> & { at: string })[]) =>
  sql`
    insert into events (org_id, user_id, action, object_type, object_id, properties, created_at)
    select ${orgId}, ${userId}::int, action, object_type, object_id, properties, at
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as row(action text, object_type text, object_id text, properties jsonb, at timestamptz)`.execute(
    db,
  );

/** server-behaviour 23.4: the viewed page, else the object, and the other recorded properties, each as text. */
const details = sql`(
  select coalesce(jsonb_object_agg(key, value), '{}') from (
    select key, value #>> '{}' as value from jsonb_each(properties - 'user_agent' - 'ip') where value <> 'null'
    union all select 'page', object_id where object_type = 'page' and action = 'view' and object_id is not null
    union all select 'data_source', object_id where object_type = 'data_source' and action = 'execute_query' and object_id is not null
    union all select 'object_id', object_id where not (object_type = 'page' and action = 'view') and object_id is not null
    union all select 'object_type', object_type where not (object_type = 'page' and action = 'view')
  ) as details)`;

export function listEventRows(db: Db, params: ListParams): Promise<Page<StoredEvent>> {
  return listPage(db, params, {
    fields: sql<StoredEvent>`events.org_id, events.user_id, users.name as user_name, action, object_type, object_id, events.created_at,
      properties->>'user_agent' as browser, properties->>'ip' as location, ${details} as details`,
    from: sql`events left join users on users.id = events.user_id`,
    where: sql`true`,
    order: sql`events.created_at desc, events.id desc`,
  });
}

export const deleteOldEvents = (db: Db) => sql`delete from events where created_at < now() - interval '365 days'`.execute(db);
