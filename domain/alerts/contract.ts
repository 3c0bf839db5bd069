import { z } from 'zod';
import { ByDevice } from '../channels/contract.ts';
import { Delivery, Destination } from '../destinations/contract.ts';
import { ById, Empty, endpoint, Id, Time } from '../endpoint.ts';
import { ArrayListParams, ListParams, listOf, page } from '../lists/contract.ts';
import { Schedule } from '../queries/contract.ts';
import { ResultColumn, ResultRow } from '../results/contract.ts';
import { User } from '../users/contract.ts';
import { AlertOptions, AlertState, ChangedAlertOptions, NewAlertOptions, Rearm, Threshold } from './options.ts';

/** W13: the members of its query that an alert shows; never its text or key. */
const AlertQuery = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  query_hash: z.string(),
  tags: z.array(z.string()),
  version: z.int(),
  user: User,
  last_modified_by: User.nullable(),
  created_at: Time,
  updated_at: Time,
  schedule: Schedule.nullable(),
  data_source_id: z.int().nullable(),
  is_draft: z.boolean(),
  is_archived: z.boolean(),
  latest_query_data_id: z.int().nullable(),
  /** Ours: how many parameters it has; alerts need a query without them. */
  parameters: z.int(),
});

/** A3 and server-behaviour 14.1. `query` is null for alerts on devices. */
export const ListedAlert = z.object({
  id: z.int(),
  name: z.string(),
  options: AlertOptions,
  rearm: Rearm,
  state: AlertState,
  last_triggered_at: Time.nullable(),
  created_at: Time,
  updated_at: Time,
  query_id: z.int().nullable(),
  query: AlertQuery.nullable(),
  user: User,
  /** The caller may change, mute and delete it. */
  can_edit: z.boolean(),
});
export type ListedAlert = z.infer<typeof ListedAlert>;

/** The reason why an evaluation did or did not send a notice. */
const evaluationOutcomes = [
  'notified',
  'muted',
  'rearm',
  'unchanged',
  'first_ok',
  'no_destination',
  'no_value',
  'pending',
  'source_paused',
  'query_failed',
] as const;
export const EvaluationOutcome = z.enum(evaluationOutcomes);
export type EvaluationOutcome = z.infer<typeof EvaluationOutcome>;

/** design 8.1: one evaluation, kept with its consequence. `reason` is a sentence, `outcome` the same as a word. */
export const Evaluation = z.object({
  id: z.int(),
  evaluated_at: Time,
  device_id: z.string().optional(),
  value: z.unknown(),
  threshold: Threshold.nullable(),
  state: AlertState,
  previous_state: AlertState,
  notified: z.boolean(),
  outcome: EvaluationOutcome,
  reason: z.string(),
});
export type Evaluation = z.infer<typeof Evaluation>;

/** One device of an alert on devices. */
export const AlertDevice = z.object({
  device_id: z.string(),
  device_name: z.string(),
  state: AlertState,
  value: z.unknown(),
  since: Time.nullable(),
});
export type AlertDevice = z.infer<typeof AlertDevice>;

export const Alert = ListedAlert.extend({
  /** The newest evaluation, which says why a notice was or was not sent. */
  last_evaluation: Evaluation.nullable(),
  /** The reason why the state is `unknown`; null otherwise. */
  unknown_reason: z.string().nullable(),
  /** Only in alerts on devices; at most 1,000, triggered ones first. */
  devices: z.array(AlertDevice).optional(),
});
export type Alert = z.infer<typeof Alert>;

const name = z.string('Name is required.').trim().min(1, 'Name is required.').max(255, 'Name is too long (at most 255 characters).');
/** Unknown keys are ignored: clients post whole objects back (design 8). Whether query_id is needed depends on `options.kind`. */
export const NewAlert = z.object({ name, options: NewAlertOptions, query_id: Id.nullish(), rearm: Rearm.optional() });
export const AlertChanges = NewAlert.extend({ options: ChangedAlertOptions }).partial();
export type NewAlert = z.output<typeof NewAlert>;
export type AlertChanges = z.output<typeof AlertChanges>;

/** server-behaviour 14.2: without a destination it is the subscriber's own e-mail address. */
export const AlertSubscription = z.object({
  id: z.int(),
  alert_id: z.int(),
  user: User,
  destination: Destination.optional(),
});
export type AlertSubscription = z.infer<typeof AlertSubscription>;

/** A3: -1 stands for the own e-mail address, as does leaving it out. */
const NewSubscription = z.object({
  alert_id: Id.nullish(),
  destination_id: z.union([z.literal(-1), Id]).nullish(),
});

/** The facts about a query that the alert page needs. */
export const QuerySetting = z.object({
  query_id: z.int(),
  name: z.string(),
  columns: z.array(ResultColumn),
  row: ResultRow.nullable(),
  /** The first 20 rows, for the preview of a template. */
  rows: z.array(ResultRow),
  schedule: Schedule.nullable(),
  parameters: z.int(),
  retrieved_at: Time.nullable(),
});
export type QuerySetting = z.infer<typeof QuerySetting>;

export const ReplayRequest = z.object({
  query_id: Id.nullish(),
  options: NewAlertOptions,
  rearm: Rearm.optional(),
  days: z.number().int().min(1, 'Days must be between 1 and 90.').max(90, 'Days must be between 1 and 90.').default(30),
});
export type ReplayRequest = z.output<typeof ReplayRequest>;

const Moment = z.object({ at: Time, value: z.unknown(), device_id: z.string().optional() });
/** What the alert would have done. `series` is the watched value over time (at most 2,000 points), for a chart with the threshold. */
export const Replay = z.object({
  evaluations: z.int(),
  triggered: z.array(Moment),
  notifications: z.int(),
  series: z.array(Moment),
  /** More is stored than was evaluated: the oldest part is left out. */
  is_partial: z.boolean(),
  threshold: Threshold.nullable(),
});
export type Replay = z.infer<typeof Replay>;

/** The number of alerts that the caller can see, by state. */
export const AlertSummary = z.object({ total: z.int(), triggered: z.int(), ok: z.int(), unknown: z.int() });
export type AlertSummary = z.infer<typeof AlertSummary>;

/** An alert in the list of a device's page; the state is that of this device. */
export const DeviceAlert = z.object({
  id: z.int(),
  name: z.string(),
  options: AlertOptions,
  rearm: Rearm,
  state: AlertState,
  value: z.unknown(),
  since: Time.nullable(),
});
export type DeviceAlert = z.infer<typeof DeviceAlert>;

const path = '/api/alerts/:id';

export const alertsApi = {
  list: endpoint('GET', '/api/alerts', {
    needs: 'list_alerts',
    query: ArrayListParams,
    reply: listOf(ListedAlert),
    summary: 'Alerts on queries and devices the caller can see, newest first.',
  }),
  summary: endpoint('GET', '/api/alerts/summary', {
    needs: 'list_alerts',
    reply: AlertSummary,
    summary: 'How many alerts are in which state.',
  }),
  querySetting: endpoint('GET', '/api/alerts/query-setting', {
    needs: 'signed_in',
    query: z.object({ query_id: Id }),
    reply: QuerySetting,
    summary: 'Columns, top row, schedule and parameters of a query, for an alert on it.',
  }),
  replay: endpoint('POST', '/api/alerts/replay', {
    needs: 'signed_in',
    body: ReplayRequest,
    reply: Replay,
    summary: 'What an alert would have done with the stored data of the last days; writes nothing.',
  }),
  create: endpoint('POST', '/api/alerts', {
    needs: 'signed_in',
    body: NewAlert,
    reply: Alert,
    summary: 'Makes an alert on a query or on devices.',
  }),
  get: endpoint('GET', path, {
    needs: 'signed_in',
    params: ById,
    reply: Alert,
    summary: 'One alert, its newest evaluation and the states of its devices.',
  }),
  save: endpoint('POST', path, {
    needs: 'signed_in',
    params: ById,
    body: AlertChanges,
    reply: Alert,
    summary: 'Changes the sent fields, for its author and administrators.',
  }),
  remove: endpoint('DELETE', path, {
    needs: 'signed_in',
    params: ById,
    reply: Empty,
    summary: 'Deletes an alert, for its author and administrators.',
  }),
  mute: endpoint('POST', `${path}/mute`, { needs: 'signed_in', params: ById, reply: Empty, summary: 'Stops the notices of an alert.' }),
  unmute: endpoint('DELETE', `${path}/mute`, {
    needs: 'signed_in',
    params: ById,
    reply: Empty,
    summary: 'Sends the notices of an alert again.',
  }),
  evaluate: endpoint('POST', `${path}/eval`, {
    needs: 'signed_in',
    params: ById,
    reply: Alert,
    summary: 'Evaluates the latest stored data now.',
  }),
  evaluations: endpoint('GET', `${path}/evaluations`, {
    needs: 'signed_in',
    params: ById,
    query: ListParams,
    reply: page(Evaluation),
    summary: 'Kept evaluations, newest first.',
  }),
  deliveries: endpoint('GET', `${path}/deliveries`, {
    needs: 'signed_in',
    params: ById,
    query: ListParams,
    reply: page(Delivery),
    summary: 'Notices and commands an alert has caused, newest first.',
  }),
  subscriptions: endpoint('GET', `${path}/subscriptions`, {
    needs: 'signed_in',
    params: ById,
    reply: z.array(AlertSubscription),
    summary: 'Who is told.',
  }),
  subscribe: endpoint('POST', `${path}/subscriptions`, {
    needs: 'signed_in',
    params: ById,
    body: NewSubscription,
    reply: AlertSubscription,
    summary: 'Subscribes a destination, or without one the caller’s own e-mail address.',
  }),
  unsubscribe: endpoint('DELETE', `${path}/subscriptions/:subscriptionId`, {
    needs: 'signed_in',
    params: z.object({ id: Id, subscriptionId: Id }),
    reply: Empty,
    summary: 'Ends a subscription, for its subscriber and administrators.',
  }),
  ofDevice: endpoint('GET', '/api/channels/:id/devices/:deviceId/alerts', {
    needs: 'list_alerts',
    params: ByDevice,
    reply: z.array(DeviceAlert),
    summary: 'Alerts that watch a device, triggered ones first.',
  }),
};
