import { isUtf8 } from 'node:buffer';
import { readAck } from '@telltale/domain/uplinks/ack.ts';
import type { OnAck } from '../networks/mqtt/presence.ts';
import type { Services } from '../platform/context.ts';
import { insertAck } from './acks.store.ts';

/** iot-behaviour 3.3: stores answers to commands as they came, before they are acknowledged. */
export const keepAcks =
  ({ db }: Pick<Services, 'db'>): OnAck =>
  async (device, payload) => {
    const read = readAck(payload, isUtf8(payload) ? payload.toString('utf8') : null);
    if ('refusal' in read) return read.refusal;
    const { id, ok } = read.answer;
    await insertAck(db, device.pk, id, ok, payload);
    return undefined;
  };
