import { isUtf8 } from 'node:buffer';
import { readAck } from '@telltale/domain/uplinks/ack.ts';
import { retentionDays } from '@telltale/domain/uplinks/retention.ts';
import { sql } from 'kysely';
import type { OnAck } from '../networks/mqtt/presence.ts';
import type { Services } from '../platform/context.ts';
import type { Db } from '../platform/database.ts';

/** iot-behaviour 3.3: answers to commands are kept as they came, before they are acknowledged. */
export const keepAcks =
  ({ db }: Pick<Services, 'db'>): OnAck =>
  async (device, payload) => {
    const read = readAck(payload, isUtf8(payload) ? payload.toString('utf8') : null);
    if ('refusal' in read) return read.refusal;
    const { id, ok } = read.answer;
    await sql`
      insert into device_acks (device_pk, command_id, is_ok, raw)
      select id, ${id}, ${ok}, ${payload} from telemetry.device where id = ${device.pk}`.execute(db);
    return undefined;
  };

export const forgetOldAcks = (db: Db) =>
  sql`delete from device_acks where received_at < now() - make_interval(days => ${retentionDays.ack})`.execute(db);
