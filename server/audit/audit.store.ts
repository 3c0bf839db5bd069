import type { AuditEntry, AuditParams } from '@telltale/domain/audit/contract.ts';
import type { Page } from '@telltale/domain/lists/contract.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database.ts';
import { listPage, substringPattern } from '../platform/lists.ts';

export interface NewEntry {
  user: { id: number; name: string; email: string } | null;
  key: string | null;
  address: string;
  action: string;
  object_type: string;
  object_id: string | null;
  object_name: string | null;
  details: Record<string, unknown>;
}

/** Answers the number of the new entry. */
export async function insertEntry(db: Db, entry: NewEntry): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into audit_log (user_id, user_name, user_email, key, address, action, object_type, object_id, object_name, details)
    select ${entry.user?.id ?? null}::int, ${entry.user?.name || null}::text, ${entry.user?.email || null}::text, ${entry.key}, ${entry.address},
      ${entry.action}, ${entry.object_type}, ${entry.object_id}, left(${entry.object_name}::text, 300), ${JSON.stringify(entry.details)}::jsonb
    returning id::text`.execute(db);
  return rows[0]?.id ?? '';
}

export const completeEntry = (db: Db, id: string, { object_id, object_name }: Pick<NewEntry, 'object_id' | 'object_name'>) =>
  sql`update audit_log set object_id = ${object_id}, object_name = left(${object_name}::text, 300) where id = ${id}::bigint`.execute(db);

/** For a call that failed after a part of it was committed. */
export const markFailed = (db: Db, id: string) =>
  sql`update audit_log set details = details || '{"failed": true}' where id = ${id}::bigint`.execute(db);

/** Missing user names are looked up: some entries only stored the user's id. */
const fields = sql`audit_log.id, at, key, address, action, object_type, object_id, object_name, details,
  case when user_id is null then null else jsonb_build_object('id', user_id, 'name', coalesce(user_name, users.name, ''),
    'email', coalesce(user_email, users.email, '')) end as user`;
const from = sql`audit_log left join users on users.id = user_id`;

function conditionOf(params: AuditParams): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (params.user_id !== undefined) conditions.push(sql`user_id = ${params.user_id}`);
  if (params.action) conditions.push(sql`action = ${params.action}`);
  if (params.object_type) conditions.push(sql`object_type = ${params.object_type}`);
  if (params.object_id) conditions.push(sql`object_id = ${params.object_id}`);
  if (params.from) conditions.push(sql`at >= ${params.from}::timestamptz`);
  if (params.to) conditions.push(sql`at < ${params.to}::timestamptz`);
  const pattern = substringPattern(params.q);
  if (pattern)
    conditions.push(sql`(object_name ilike ${pattern} or object_id ilike ${pattern} or action ilike ${pattern} or object_type ilike ${pattern}
      or address ilike ${pattern} or coalesce(user_name, users.name) ilike ${pattern} or coalesce(user_email, users.email) ilike ${pattern})`);
  return sql.join(conditions, sql` and `);
}

type Row = Omit<AuditEntry, 'key'> & { key: string | null };
const answer = ({ key, ...row }: Row): AuditEntry => (key === null ? row : { ...row, key });

export async function listEntries(db: Db, params: AuditParams): Promise<Page<AuditEntry>> {
  const found = await listPage(db, params, {
    fields: sql<Row>`${fields}`,
    from,
    where: conditionOf(params),
    order: sql`at desc, audit_log.id desc`,
  });
  return { ...found, results: found.results.map(answer) };
}

/** Lists the entries older than a given one, newest first. */
export async function listEntriesBefore(
  db: Db,
  params: AuditParams,
  before: Pick<AuditEntry, 'at' | 'id'> | undefined,
  limit: number,
): Promise<AuditEntry[]> {
  // The exact time is read again: the one of the entry is cut to milliseconds.
  const older = before
    ? sql`(at, audit_log.id) < (coalesce((select at from audit_log where id = ${before.id}::bigint), ${before.at}::timestamptz), ${before.id}::bigint)`
    : sql`true`;
  const { rows } = await sql<Row>`
    select ${fields} from ${from} where ${conditionOf(params)} and ${older} order by at desc, audit_log.id desc limit ${limit}`.execute(db);
  return rows.map(answer);
}

export async function listChoices(db: Db): Promise<{ actions: string[]; object_types: string[] }> {
  const { rows } = await sql<{ actions: string[]; object_types: string[] }>`
    select coalesce(array_agg(distinct action order by action), '{}') as actions,
      coalesce(array_agg(distinct object_type order by object_type), '{}') as object_types
    from (select action, object_type from audit_log order by at desc limit 50000) recent`.execute(db);
  return rows[0] ?? { actions: [], object_types: [] };
}

export const deleteOldEntries = (db: Db, days: number) =>
  sql`delete from audit_log where at < now() - make_interval(days => ${days})`.execute(db);

/** The table and columns for the name of an object, by its word in API paths. */
const named: Record<string, { table: string; name: string; id: string }> = {
  queries: { table: 'console.queries', name: 'name', id: 'id::text' },
  dashboards: { table: 'console.dashboards', name: 'name', id: 'id::text' },
  visualizations: { table: 'console.visualizations', name: 'name', id: 'id::text' },
  alerts: { table: 'console.alerts', name: 'name', id: 'id::text' },
  destinations: { table: 'console.destinations', name: 'name', id: 'id::text' },
  'downlink-commands': { table: 'console.commands', name: 'name', id: 'id::text' },
  data_sources: { table: 'console.data_sources', name: 'name', id: 'id::text' },
  networks: { table: 'console.networks', name: 'name', id: 'id::text' },
  groups: { table: 'console.groups', name: 'name', id: 'id::text' },
  users: { table: 'console.users', name: 'name', id: 'id::text' },
  query_snippets: { table: 'console.query_snippets', name: 'trigger', id: 'id::text' },
  channels: { table: 'telemetry.channel', name: 'channel_name', id: 'channel_id' },
};

export async function findObjectName(db: Db, kind: string, id: string): Promise<string | null> {
  const place = Object.hasOwn(named, kind) ? named[kind] : undefined;
  if (!place) return null;
  const { rows } = await sql<{ name: string }>`
    select ${sql.raw(place.name)} as name from ${sql.raw(place.table)} where ${sql.raw(place.id)} = ${id} order by created_at desc limit 1`.execute(
    db,
  );
  return rows[0]?.name ?? null;
}
