import { isUtf8 } from 'node:buffer';
import { nobody } from '@telltale/domain/access/identity.ts';
import { readAttemptId } from '@telltale/domain/commands/progress.ts';
import { ackPoints, readAck } from '@telltale/domain/uplinks/ack.ts';
import type { Point } from '@telltale/domain/uplinks/record.ts';
import type { DeviceEntry } from '../networks/directory.ts';
import type { OnAck } from '../networks/mqtt/presence.ts';
import { createCtx, type Services } from '../platform/context.ts';
import { keepAcks } from '../uplinks/acks.ts';
import { hasDelivery } from './deliveries.store.ts';
import { EventWriter } from './event-writer.ts';

/** Stores Telltale's own points of a device; resolves when they are stored. */
type NotePoints = (device: DeviceEntry, points: Point[]) => Promise<void>;

/**
 * iot-behaviour 3.3: handles a device's answer to a command. The answer is stored and moves the delivery on before it is acknowledged, so a
 * device repeats an answer that was not stored. Unknown ids, and those of another device's commands, are ignored: they make no points.
 */
export function takeAnswers(services: Services, notePoints: NotePoints): OnAck {
  const keep = keepAcks(services);
  const writer = new EventWriter(() => createCtx(services, nobody));
  return async (device, payload) => {
    const refusal = await keep(device, payload);
    if (refusal) return refusal;
    const read = readAck(payload, isUtf8(payload) ? payload.toString('utf8') : null);
    if ('refusal' in read) return read.refusal;
    const { id, ok, error, data } = read.answer;
    const attempt = readAttemptId(id);
    if (!attempt) return undefined;
    if (data && device.channel.ack_points && (await hasDelivery(services.db, device.pk, attempt.wire_id))) {
      const points = ackPoints(data);
      if (points.length > 0) await notePoints(device, points);
    }
    const event = ok ? ({ kind: 'acknowledged' } as const) : ({ kind: 'nacked', reason: error ? `refused: ${error}` : 'refused' } as const);
    const raw: unknown = JSON.parse(payload.toString('utf8'));
    await writer.write({ of: { wire_id: attempt.wire_id }, attempt: attempt.attempt, device_pk: device.pk, event, raw });
    return undefined;
  };
}
