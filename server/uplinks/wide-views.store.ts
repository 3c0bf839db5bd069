import { type Kysely, sql } from 'kysely';
import type { Db } from '../platform/database.ts';
import type { DB } from '../platform/database-types.ts';

export interface ChannelAttributes {
  pk: number;
  channel_id: string;
  attributes: { id: number; name: string; isText: boolean }[];
}

/** A text that changes when a channel or an attribute appears or goes. */
export async function readAttributeMark(db: Db): Promise<string> {
  const { rows } = await sql<{ seen: string }>`
    select (select coalesce(max(id), 0) from telemetry.attribute) || ' ' ||
      (select coalesce(max(id), 0) || ' ' || count(*) filter (where deleted_at is null) from telemetry.channel) as seen`.execute(db);
  return rows[0]?.seen ?? '';
}

/** Lists the channels, each with its first attributes. */
export async function listChannelAttributes(db: Db, most: number): Promise<ChannelAttributes[]> {
  const { rows } = await sql<ChannelAttributes>`
    select channel.id as pk, channel_id, coalesce(found.attributes, '[]') as attributes
    from telemetry.channel left join lateral (
      select jsonb_agg(jsonb_build_object('id', id, 'name', name, 'isText', kind_seen::text in ('s', 'j')) order by id) as attributes
      from (select * from telemetry.attribute where channel_pk = channel.id order by id limit ${most}) first) found on true
    where deleted_at is null`.execute(db);
  return rows;
}

/** Lists the wide views that have none of these names. */
export async function listOtherViews(db: Db, names: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select viewname as name from pg_views where schemaname = 'app' and viewname ~ '^channel_' and not viewname = any(${names}::text[])`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

/** Runs the statements in one transaction that waits for no reader longer than a moment. */
export const changeViews = (db: Kysely<DB>, statements: readonly string[]): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '200ms'`.execute(tx);
    for (const text of statements) await sql.raw(text).execute(tx);
  });
