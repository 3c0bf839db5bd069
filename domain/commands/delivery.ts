import { z } from 'zod';
import { Time } from '../endpoint.ts';

/** iot-behaviour 3.4. 'Effect seen' is the label of `succeeded`. */
export const deliveryStates = [
  'pending',
  'queued',
  'sent',
  'acknowledged',
  'nacked',
  'waiting',
  'succeeded',
  'failed',
  'expired',
  'replaced',
  'cancelled',
] as const;
export const DeliveryState = z.enum(deliveryStates);
export type DeliveryState = z.infer<typeof DeliveryState>;

/** Longer reasons, such as messages of networks and scripts, are cut. */
export const longestReason = 200;

const executionSources = ['manual', 'schedule', 'alert'] as const;

/** A delivery, one per device of an execution. `is_final`: the state will not change any more. */
export const Delivery = z.object({
  id: z.int(),
  execution_id: z.int(),
  command_id: z.int().nullable(),
  command_name: z.string(),
  channel_id: z.string(),
  device_id: z.string(),
  device_name: z.string(),
  source: z.enum(executionSources),
  state: DeliveryState,
  is_final: z.boolean(),
  /** The reason of its state, as a code such as `condition_not_met` or as a sentence. */
  reason: z.string().nullable(),
  attempt: z.int(),
  max_attempts: z.int(),
  mode: z.enum(['push', 'replace']),
  confirm: z.boolean(),
  fport: z.int(),
  encoding: z.enum(['json', 'hex', 'base64', 'text']),
  bytes_hex: z.string(),
  created_at: Time,
  sent_at: Time.nullable(),
  finished_at: Time.nullable(),
  expires_at: Time,
});
export type Delivery = z.infer<typeof Delivery>;

/** One line of the log. `state` is the reported state; a late event changes nothing and is marked by `is_late`. */
export const DeliveryLogRow = z.object({
  id: z.int(),
  delivery_id: z.int(),
  at: Time,
  device_id: z.string(),
  attempt: z.int(),
  state: z.string(),
  reason: z.string().nullable(),
  is_late: z.boolean(),
  raw: z.unknown(),
});
export type DeliveryLogRow = z.infer<typeof DeliveryLogRow>;

export const DeliveryDetail = Delivery.extend({ log: z.array(DeliveryLogRow) });
export type DeliveryDetail = z.infer<typeof DeliveryDetail>;

/** An execution, one per firing: by a user, a schedule or an alert. */
export const Execution = z.object({
  id: z.int(),
  command_id: z.int().nullable(),
  source: z.enum(executionSources),
  schedule_id: z.int().nullable(),
  alert_id: z.int().nullable(),
  user: z.object({ id: z.int(), name: z.string() }).nullable(),
  /** The time it was due; a start more than a minute later was late. */
  due_at: Time,
  is_late: z.boolean(),
  mode: z.enum(['push', 'replace']),
  devices: z.int(),
  /** The number of deliveries by state; only states that occur. */
  states: z.partialRecord(DeliveryState, z.int()),
  is_final: z.boolean(),
  created_at: Time,
  finished_at: Time.nullable(),
});
export type Execution = z.infer<typeof Execution>;
