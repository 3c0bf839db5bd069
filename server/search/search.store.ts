import type { ChannelKind } from '@telltale/domain/channels/contract.ts';
import type { Found } from '@telltale/domain/search/contract.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database.ts';
import { substringPattern } from '../platform/lists.ts';
import type { Condition } from '../policy/rule.ts';

export interface FoundRow extends Omit<Found, 'url'> {
  id: string;
  channel_id: string | null;
  kind: ChannelKind | null;
}

interface Asked {
  q: string;
  limit: number;
  org_id: number;
  user_id: number;
  /** The policy's condition for each kind, and for the channels that the user reaches. */
  may: Record<Found['type'] | 'reach', Condition>;
}

const mostCandidates = 200;

/** Searches with one statement, a part for each kind. Names that begin with the term come first, then those changed last. */
export async function findObjects(db: Db, { q, limit, org_id, user_id, may }: Asked): Promise<FoundRow[]> {
  const pattern = substringPattern(q)?.toLowerCase() ?? null;
  // Both sides are in lower case and compared byte by byte: an `ilike` lowers every name anew.
  const isLike = (table: string) => (pattern === null ? sql`true` : sql`${sql.ref(`${table}.search_text`)} like ${pattern}`);
  const begins = pattern === null ? null : pattern.slice(1);
  // A term that matches thousands is looked for among the last changed only, so that no name is compared in vain.
  const part = (fields: RawBuilder<unknown>, rest: RawBuilder<unknown>, table: string, changed: string) => sql`
    (select * from (
       select ${fields}, ${sql.ref(changed)} as changed_at, coalesce(${sql.ref(`${table}.search_text`)} like ${begins}, false) as is_start
       from ${rest} order by ${sql.ref(changed)} desc limit ${mostCandidates}) candidates
     order by is_start desc, changed_at desc limit ${limit})`;
  const plain = (type: Found['type'], id: string, name: string, detail: RawBuilder<unknown>) =>
    sql`${type}::text as type, ${sql.ref(id)}::text as id, ${sql.ref(name)} as name, ${detail} as detail, null::text as channel_id, null::text as kind`;
  const ofChannel = sql`(${may.channel} and ${may.reach})`;
  const parts = [
    part(
      plain('dashboard', 'dashboards.id', 'dashboards.name', sql`case when is_draft then 'Unpublished' else '' end`),
      sql`dashboards where not is_archived and dashboards.org_id = ${org_id} and ${may.dashboard} and ${isLike('dashboards')}`,
      'dashboards',
      'dashboards.updated_at',
    ),
    part(
      plain('query', 'queries.id', 'queries.name', sql`case when is_draft then 'Unpublished' else '' end`),
      sql`queries where not is_archived and queries.org_id = ${org_id} and (not is_draft or queries.user_id = ${user_id})
        and ${may.query} and ${isLike('queries')}`,
      'queries',
      'queries.updated_at',
    ),
    part(
      sql`'channel' as type, channel_id as id, channel_name as name, channel_id as detail, null::text as channel_id, kind`,
      sql`telemetry.channel where channel.deleted_at is null and ${ofChannel} and ${isLike('channel')}`,
      'channel',
      'channel.created_at',
    ),
    part(
      sql`'device' as type, device_id as id, device_name as name, channel_name || ' / ' || device_id as detail, channel_id, kind`,
      sql`telemetry.device join telemetry.channel on channel.id = channel_pk
        where device.deleted_at is null and channel.deleted_at is null and ${may.device} and ${ofChannel}
          and ${isLike('device')}`,
      'device',
      'device.created_at',
    ),
    part(
      plain('alert', 'alerts.id', 'alerts.name', sql`alerts.state::text`),
      sql`alerts where alerts.org_id = ${org_id} and ${may.alert} and ${isLike('alerts')}`,
      'alerts',
      'alerts.updated_at',
    ),
    part(
      plain('command', 'commands.id', 'commands.name', sql`channel_name`),
      sql`commands join telemetry.channel on channel.id = channel_pk
        where channel.deleted_at is null and ${may.command} and ${ofChannel} and ${isLike('commands')}`,
      'commands',
      'commands.updated_at',
    ),
    part(
      plain('user', 'users.id', 'users.name', sql`users.email`),
      sql`users where users.org_id = ${org_id} and disabled_at is null and ${may.user} and ${isLike('users')}`,
      'users',
      'users.updated_at',
    ),
  ];
  const { rows } = await sql<FoundRow>`
    select type, id, name, detail, channel_id, kind, changed_at from (${sql.join(parts, sql` union all `)}) found
    order by is_start desc, changed_at desc`.execute(db);
  return rows;
}
