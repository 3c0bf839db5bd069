import { z } from 'zod';
import { ByDevice } from '../channels/contract.ts';
import { ById, Empty, endpoint, Id, Time } from '../endpoint.ts';
import { ArrayListParams, ListParams, listOf, page } from '../lists/contract.ts';
import { CommandInput, Retry, type RetryUntil } from './command.ts';
import { Delivery, DeliveryDetail, DeliveryState, Execution } from './delivery.ts';
import { Schedule, ScheduleInput, SchedulePreview, SchedulePreviewInput, ScheduleRun } from './schedule.ts';

export type { RetryUntil };

/** A3; `name` and `command_name` are the same text (design 8.1). `encoding` says how the payload is read, `bytes` how long it is. */
export const Command = z.object({
  id: z.int(),
  name: z.string(),
  command_name: z.string(),
  channel_id: z.string(),
  channel_name: z.string(),
  device_ids: z.array(z.string()),
  fport: z.int(),
  mode: z.enum(['push', 'replace']),
  confirm: z.boolean(),
  payload: z.string(),
  retry_enabled: z.boolean(),
  retry_count: z.int(),
  retry_until: Retry.nullable(),
  retry_wait_seconds: z.int().nullable(),
  skip_if_true: z.boolean(),
  ttl_seconds: z.int(),
  user: z.object({ id: z.int(), name: z.string() }).nullable(),
  created_at: Time,
  updated_at: Time,
});
export type Command = z.infer<typeof Command>;

/** design 8.1: with `preview` nothing is sent. A send may shorten the time to live. */
export const SendInput = z.object({
  device_ids: z.array(z.string().min(1).max(64)).min(1, 'Choose at least one device.').max(10_000, 'At most 10,000 devices.').optional(),
  preview: z.boolean().optional(),
  ttl_seconds: z.int().min(1).max(31_536_000).optional(),
});
export type SendInput = z.output<typeof SendInput>;

/** Sending to more devices than this needs a confirmation. */
export const devicesToConfirm = 20;

/** `execution_id` and the ids of deliveries are null in a preview, where `state` is `pending`, or `failed` when nothing could be sent. */
export const Sent = z.object({
  execution_id: z.int().nullable(),
  deliveries: z.array(
    z.object({
      id: z.int().nullable(),
      device_id: z.string(),
      device_name: z.string(),
      /** Empty when the encoder of the channel fails for this device: then `state` is `failed`, and `reason` says why. */
      bytes_hex: z.string(),
      encoding: z.enum(['json', 'hex', 'base64', 'text']),
      state: DeliveryState,
      reason: z.string().nullable(),
    }),
  ),
  /** More than 20 devices: ask before sending. */
  needs_confirmation: z.boolean(),
});
export type Sent = z.infer<typeof Sent>;

/** Destinations that are notified when a delivery succeeds or fails. */
export const CommandSubscription = z.object({
  id: z.int(),
  command_id: z.int(),
  destination_id: z.int(),
  destination: z.object({ id: z.int(), name: z.string(), type: z.string() }),
});
export type CommandSubscription = z.infer<typeof CommandSubscription>;

/** A3 and design 8.1: the command is sent when the alert becomes triggered, ok, or either. */
export const AlertCommand = z.object({
  id: z.int(),
  alert_id: z.int(),
  command_id: z.int(),
  command_name: z.string(),
  on: z.enum(['triggered', 'ok', 'both']),
});
export type AlertCommand = z.infer<typeof AlertCommand>;

const BySchedule = z.object({ id: Id, sid: Id });
const BySubscription = z.object({ id: Id, sid: Id });
const ByAlertCommand = z.object({ id: Id, cid: Id });

/** `state` may be repeated. */
export const DeliveryListParams = ListParams.extend({
  state: z
    .union([DeliveryState, z.array(DeliveryState)])
    .optional()
    .transform((given) => (given === undefined ? [] : [given].flat())),
  device_id: z.string().max(64).optional(),
  execution_id: Id.optional(),
});
export type DeliveryListParams = z.output<typeof DeliveryListParams>;

/** A2: Active shows recurring and event schedules, and one-time ones whose time is still to come. */
export const ScheduleListParams = ArrayListParams.extend({ filter: z.enum(['active', 'all']).default('all') });
export type ScheduleListParams = z.output<typeof ScheduleListParams>;

const base = '/api/downlink-commands';

export const commandsApi = {
  list: endpoint('GET', base, {
    needs: 'view_channel',
    query: ArrayListParams,
    reply: listOf(Command),
    summary: 'Downlink commands, newest first.',
  }),
  get: endpoint('GET', `${base}/:id`, { needs: 'view_channel', params: ById, reply: Command, summary: 'One downlink command.' }),
  create: endpoint('POST', base, {
    needs: 'send_command',
    body: CommandInput,
    reply: Command,
    summary: 'Saves a new command; nothing is sent.',
  }),
  save: endpoint('POST', `${base}/:id`, {
    needs: 'send_command',
    params: ById,
    body: CommandInput,
    reply: Command,
    summary: 'Changes the sent fields of a command; deliveries under way keep what they were made with.',
  }),
  remove: endpoint('DELETE', `${base}/:id`, {
    needs: 'send_command',
    params: ById,
    reply: Empty,
    summary: 'Deletes a command with its schedules; what waits is cancelled, its log stays.',
  }),
  send: endpoint('POST', `${base}/:id/send`, {
    needs: 'send_command',
    params: ById,
    body: SendInput,
    reply: Sent,
    summary: 'Sends a command now to its devices, or to others of its channel; with preview only says what would be sent.',
  }),
  executions: endpoint('GET', `${base}/:id/executions`, {
    needs: 'view_channel',
    params: ById,
    query: ListParams,
    reply: page(Execution),
    summary: 'Each time a command was sent, newest first, with how many deliveries are in which state.',
  }),
  deliveries: endpoint('GET', `${base}/:id/deliveries`, {
    needs: 'view_channel',
    params: ById,
    query: DeliveryListParams,
    reply: page(Delivery),
    summary: 'Deliveries of a command, newest first.',
  }),
};

export const deliveriesApi = {
  get: endpoint('GET', '/api/deliveries/:id', {
    needs: 'view_channel',
    params: ById,
    reply: DeliveryDetail,
    summary: 'One delivery with its log.',
  }),
  cancel: endpoint('DELETE', '/api/deliveries/:id', {
    needs: 'send_command',
    params: ById,
    reply: Empty,
    summary: 'Cancels a delivery that is not final.',
  }),
  ofDevice: endpoint('GET', '/api/channels/:id/devices/:deviceId/deliveries', {
    needs: 'view_channel',
    params: ByDevice,
    query: DeliveryListParams,
    reply: page(Delivery),
    summary: 'Deliveries to a device, newest first: its queue are those that are not final.',
  }),
  clearQueue: endpoint('DELETE', '/api/channels/:id/devices/:deviceId/deliveries', {
    needs: 'send_command',
    params: ByDevice,
    reply: z.object({ cancelled: z.int() }),
    summary: 'Cancels everything that waits for a device.',
  }),
};

export const schedulesApi = {
  list: endpoint('GET', `${base}/:id/schedules`, {
    needs: 'view_channel',
    params: ById,
    query: ScheduleListParams,
    reply: listOf(Schedule),
    summary: 'Schedules of a command, newest first.',
  }),
  create: endpoint('POST', `${base}/:id/schedules`, {
    needs: 'send_command',
    params: ById,
    body: ScheduleInput,
    reply: Schedule,
    summary: 'Adds a schedule, or changes the one whose id is sent.',
  }),
  save: endpoint('POST', `${base}/:id/schedules/:sid`, {
    needs: 'send_command',
    params: BySchedule,
    body: ScheduleInput,
    reply: Schedule,
    summary: 'Changes a schedule.',
  }),
  remove: endpoint('DELETE', `${base}/:id/schedules/:sid`, {
    needs: 'send_command',
    params: BySchedule,
    reply: Empty,
    summary: 'Deletes a schedule.',
  }),
  resume: endpoint('POST', `${base}/:id/schedules/:sid/resume`, {
    needs: 'send_command',
    params: BySchedule,
    reply: Schedule,
    summary: 'Lets a suspended schedule fire again.',
  }),
  runs: endpoint('GET', `${base}/:id/schedules/:sid/runs`, {
    needs: 'view_channel',
    params: BySchedule,
    query: ListParams,
    reply: page(ScheduleRun),
    summary: 'When a schedule fired, fired late or was missed, newest first.',
  }),
  preview: endpoint('POST', `${base}/schedules/preview`, {
    needs: 'signed_in',
    body: SchedulePreviewInput,
    reply: SchedulePreview,
    summary: 'What a schedule means in words, and its next five runs.',
  }),
};

export const commandSubscriptionsApi = {
  list: endpoint('GET', `${base}/:id/subscriptions`, {
    needs: 'view_channel',
    params: ById,
    reply: z.array(CommandSubscription),
    summary: 'Destinations that hear of a command’s deliveries.',
  }),
  create: endpoint('POST', `${base}/:id/subscriptions`, {
    needs: 'send_command',
    params: ById,
    body: z.object({ destination_id: Id }),
    reply: CommandSubscription,
    summary: 'Tells a destination when a delivery succeeds or fails.',
  }),
  remove: endpoint('DELETE', `${base}/:id/subscriptions/:sid`, {
    needs: 'send_command',
    params: BySubscription,
    reply: Empty,
    summary: 'A destination hears of a command no more.',
  }),
};

export const alertCommandsApi = {
  list: endpoint('GET', '/api/alerts/:id/commands', {
    needs: 'signed_in',
    params: ById,
    reply: z.array(AlertCommand),
    summary: 'Commands that an alert sends.',
  }),
  create: endpoint('POST', '/api/alerts/:id/commands', {
    needs: 'send_command',
    params: ById,
    body: z.object({ alert_id: Id.optional(), command_id: Id, on: z.enum(['triggered', 'ok', 'both']).default('triggered') }),
    reply: AlertCommand,
    summary: 'Lets an alert send a command; needs the right to change the alert.',
  }),
  remove: endpoint('DELETE', '/api/alerts/:id/commands/:cid', {
    needs: 'send_command',
    params: ByAlertCommand,
    reply: Empty,
    summary: 'An alert sends a command no more; by the id of the link, or of the command.',
  }),
};
