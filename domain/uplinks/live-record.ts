import { z } from 'zod';
import { encodings } from './record.ts';

/** iot-behaviour 1.11: one per uplink. Facts that are absent are null, never left out. */
export const UplinkRecord = z.object({
  uplink_id: z.string(),
  channel_id: z.string(),
  device_id: z.string(),
  device_name: z.string(),
  source: z.string(),
  status: z.enum(['stored', 'partial', 'duplicate', 'rejected']),
  /** The time of reception, with microseconds. */
  received_at: z.string(),
  time: z.string(),
  points: z.int(),
  encoding: z.enum(encodings).nullable(),
  bytes: z.int(),
  /** Base64 of the first bytes. */
  raw: z.string(),
  raw_truncated: z.boolean(),
  /** The newest value of each attribute of the message. */
  values: z.record(z.string(), z.union([z.number(), z.boolean(), z.string()])),
  fport: z.int().nullable(),
  fcnt: z.number().nullable(),
  confirmed: z.boolean().nullable(),
  dev_eui: z.string().nullable(),
  lora: z.record(z.string(), z.unknown()).nullable(),
  warnings: z.array(z.string()),
  errors: z.array(z.string()),
});
export type UplinkRecord = z.output<typeof UplinkRecord>;

export const liveLimits = { devices: 50, tail: 100, usualTail: 20, recordsPerSecond: 20, rawBytes: 1024 } as const;

const DeviceId = z.string().min(1).max(64);
const Devices = z
  .union([DeviceId, z.array(DeviceId).min(1).max(liveLimits.devices, `At most ${liveLimits.devices} devices.`)])
  .transform((given) => [...new Set(Array.isArray(given) ? given : [given])]);

/** Requests of clients. */
export const uplinkClientEvents = {
  start: z.object({
    channel: z.string().min(1).max(64),
    device: Devices,
    /** The number of newest records to send first. */
    tail: z.int().min(0).max(liveLimits.tail).default(liveLimits.usualTail),
    /** Only records after this one: those that a client missed while it was away. */
    after: z.string().max(26).optional(),
  }),
  stop: z.object({ channel: z.string().min(1).max(64), device: Devices }),
};

/** Events of the server; records and figures stand under the id of their device. */
export const uplinkServerEvents = {
  started: z.object({ channel: z.string(), device: z.array(z.string()), tail: z.int() }),
  uplink: z.record(z.string(), UplinkRecord),
  /** The number of records that were left out because they came faster than they are shown, or while the client was away. */
  gap: z.record(z.string(), z.int()),
  /** Ours: whether a device is online (1.7), once at the start and whenever that changes. */
  state: z.record(z.string(), z.object({ online: z.boolean() })),
};
