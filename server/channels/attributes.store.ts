import type { AttributeDisplay } from '@telltale/domain/channels/attribute-display.ts';
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

export const setDisplay = (db: Db, id: number, display: AttributeDisplay | null) =>
  sql`update telemetry.attribute set display = ${display && JSON.stringify(display)}::jsonb where id = ${id}`.execute(db);
