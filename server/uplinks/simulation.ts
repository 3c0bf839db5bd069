import type { ByDevice } from '@telltale/domain/channels/contract.ts';
import type { PayloadEncoding, SimulatedUplink, TakenUplink } from '@telltale/domain/channels/simulation-contract.ts';
import { readBytes } from '@telltale/domain/decoders/bytes.ts';
import { getDeviceRow } from '../channels/devices.ts';
import { recordEvent } from '../events/events.ts';
import type { UserCtx } from '../platform/context.ts';
import { AppError, notFound, unavailable } from '../platform/errors.ts';
import { type HttpIntake, refusalStatus } from './http-intake.ts';

/**
 * iot-behaviour 5.1: an uplink that a person sends in place of the device. It goes the way of every other, so limits, decoder, alerts and
 * live feed treat it alike; only its source tells that it was simulated.
 */
export async function simulateUplink(
  ctx: UserCtx,
  at: ByDevice,
  { payload, encoding, fport }: SimulatedUplink,
  intake: HttpIntake,
): Promise<TakenUplink> {
  await getDeviceRow(ctx, at);
  const device = await intake.directory.findDevice(at.id, at.deviceId);
  if (!device) throw notFound('Device');
  const outcome = await intake.take({
    channel: device.channel,
    device,
    device_id: device.device_id,
    // The message log knows a refused one by this address.
    topic: `/api/channels/${at.id}/devices/${at.deviceId}/simulate`,
    payload: bytesOf(payload, encoding),
    source: 'simulated',
    ...(encoding === 'json' ? { format: 'json', fport: null } : { format: 'raw', fport }),
  });
  if (outcome.status === 'unavailable') throw unavailable('This could not be stored. Send it again.');
  await recordEvent(ctx, 'simulate_uplink', 'device', `${at.id}/${at.deviceId}`, { status: outcome.status });
  if (outcome.status === 'duplicate') return { ...outcome, points: 0, warnings: [], errors: [] };
  if (outcome.status !== 'rejected') return outcome;
  const { code, message, uplink_id } = outcome;
  throw new AppError(refusalStatus(code), code, message, { body: { code, uplink_id } });
}

const bytesOf = (payload: string, encoding: PayloadEncoding): Buffer =>
  encoding === 'hex' || encoding === 'base64' ? Buffer.from(readBytes(`${encoding}:${payload.trim()}`) ?? []) : Buffer.from(payload);
