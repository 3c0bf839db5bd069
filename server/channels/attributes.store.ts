import type { AttributeDisplay } from '@telltale/domain/channels/attribute-display.ts';
import type { PointKind } from '@telltale/domain/uplinks/record.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

export interface AttributeRow {
  id: number;
  attribute: string;
  kind: string | null;
  reported_unit: string | null;
  display: Partial<AttributeDisplay> | null;
  last_seen_at: string;
}

const fields = sql`id, name as attribute, kind_seen::text as kind, unit as reported_unit, display, last_seen as last_seen_at`;

/** iot-behaviour 1.8: what Telltale itself wrote comes last. */
export async function listAttributeRows(db: Db, channelPk: number): Promise<AttributeRow[]> {
  const { rows } = await sql<AttributeRow>`
    select ${fields} from telemetry.attribute where channel_pk = ${channelPk} order by name ~ '^(lora|sys)\\.', name`.execute(db);
  return rows;
}

/** Locked, because only some of its keys change. */
export async function lockAttribute(db: Db, channelPk: number, name: string): Promise<AttributeRow | undefined> {
  const { rows } = await sql<AttributeRow>`
    select ${fields} from telemetry.attribute where channel_pk = ${channelPk} and name = ${name} for update`.execute(db);
  return rows[0];
}

/** iot-behaviour 1.6: returns false when the channel has as many attributes as it may have; names of Telltale itself always have room. */
export async function insertAttribute(
  db: Db,
  channelPk: number,
  { name, kind, most }: { name: string; kind: PointKind; most: number },
): Promise<boolean> {
  const { rows } = await sql<{ is_there: boolean }>`
    with made as (
      insert into telemetry.attribute (channel_pk, name, kind_seen, first_seen, last_seen)
      select ${channelPk}::int, ${name}::text, ${kind}::text::"char", now(), now()
      where ${most}::int = 0 or ${name}::text ~ '^(sys|lora)\\.'
        or (select count(*) from telemetry.attribute where channel_pk = ${channelPk}) < ${most}::int
      on conflict (channel_pk, name) do nothing returning id)
    select exists (select from made)
      or exists (select from telemetry.attribute where channel_pk = ${channelPk} and name = ${name}) as is_there`.execute(db);
  return rows[0]?.is_there ?? false;
}

export const setDisplay = (db: Db, id: number, display: AttributeDisplay | null) =>
  sql`update telemetry.attribute set display = ${display && JSON.stringify(display)}::jsonb where id = ${id}`.execute(db);
