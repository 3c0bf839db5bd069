import type { Refusal } from '@telltale/domain/uplinks/record.ts';
import type { ChannelEntry, DeviceDirectory, DeviceEntry } from './directory.ts';
import type { UplinkSink } from './uplink-sink.ts';

interface Arrival {
  channel: ChannelEntry;
  /** Undefined where the channel has no such device and made none. */
  device: DeviceEntry | undefined;
  device_id: string;
  /** Whether the sender waits for an answer, so that it can be slowed down (0.2.3). Others are refused beyond their rate. */
  canWait: boolean;
  /** When the message came, in milliseconds, where it has waited for us since; without it, now. */
  cameAt?: number | undefined;
  /** Another attempt to store a message, which the rates have counted already. */
  isCounted?: boolean | undefined;
}

/** `waitMs`: how long the answer has to wait by the rates of device and channel. */
export type Admission = { device: DeviceEntry; waitMs: number; refusal?: undefined } | { refusal: Refusal };

/** iot-behaviour 1.10: whether a message of a device is taken; one rule for MQTT, external brokers, HTTP and LoRaWAN networks. */
export function admission(
  { directory, uplinks }: { directory: Pick<DeviceDirectory, 'isFull'>; uplinks: Pick<UplinkSink, 'hasRoom' | 'delayOf'> },
  { channel, device, device_id, canWait, cameAt, isCounted = false }: Arrival,
): Admission {
  if (!device) return { refusal: channel.isDisabled ? refused.channelDisabled : noDevice(directory, channel, device_id) };
  if (device.isDisabled) return { refusal: refused.disabled };
  if (isCounted) return { device, waitMs: 0 };
  if (canWait) return { device, waitMs: uplinks.delayOf(device) };
  return uplinks.hasRoom(device, cameAt) ? { device, waitMs: 0 } : { refusal: refused.tooFast };
}

const refused = {
  channelDisabled: { code: 'device_disabled', message: 'The channel is disabled.' },
  disabled: { code: 'device_disabled', message: 'The device is disabled.' },
  tooFast: { code: 'rate_limited', message: 'The device sends faster than it may.' },
} as const satisfies Record<string, Refusal>;

function noDevice(directory: Pick<DeviceDirectory, 'isFull'>, channel: ChannelEntry, deviceId: string): Refusal {
  if (directory.isFull(channel.pk))
    return { code: 'too_many_devices', message: 'The channel has as many devices as it may; no more are made by themselves.' };
  return { code: 'unknown_device', message: `The channel has no device ${deviceId.slice(0, 36)}.` };
}
