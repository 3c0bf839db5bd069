import { z } from 'zod';
import { ById, Empty, endpoint, Id, Time } from '../endpoint.ts';
import { TypeSchema } from '../forms/type-schema.ts';
import { isShallow, tooDeepMessage } from '../json-depth.ts';
import { ArrayListParams, ListParams, listOf, page } from '../lists/contract.ts';

/** server-behaviour 15.1: the members of a destination that all users see. */
export const Destination = z.object({ id: z.int(), name: z.string(), type: z.string(), icon: z.string() });
export type Destination = z.infer<typeof Destination>;

/** A destination as administrators see it; secrets read back as dashes. */
export const FullDestination = Destination.extend({
  options: z.record(z.string(), z.unknown()),
  created_at: Time,
  updated_at: Time,
});
export type FullDestination = z.infer<typeof FullDestination>;

export const DestinationType = z.object({
  name: z.string(),
  type: z.string(),
  icon: z.string(),
  configuration_schema: TypeSchema,
  deprecated: z.boolean().optional(),
});
export type DestinationType = z.infer<typeof DestinationType>;

const name = z.string('Name is required.').trim().min(1, 'Name is required.').max(255, 'Name is too long (at most 255 characters).');
const options = z.record(z.string(), z.unknown(), 'Options are required.').refine(isShallow, tooDeepMessage);
const type = z.string('Type is required.').max(100, 'Type is too long.');
export const DestinationFields = z.object({ name, type, options });
export type DestinationFields = z.output<typeof DestinationFields>;

const deliveryStatuses = ['waiting', 'sent', 'failed', 'gave_up'] as const;
export const DeliveryStatus = z.enum(deliveryStatuses);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

/**
 * design 8.1: one notice to one target, with its attempts. `target_id` is the destination's id, the command's id, or -1 for
 * the subscriber's own e-mail address.
 */
export const Delivery = z.object({
  id: z.int(),
  kind: z.enum(['destination', 'command']),
  target_id: z.int(),
  name: z.string(),
  status: DeliveryStatus,
  attempts: z.int(),
  last_error: z.string().nullable(),
  created_at: Time,
  sent_at: Time.nullable(),
  /** The notice's subject line. */
  subject: z.string(),
  /** When the next attempt is due; null unless the status is `waiting`. */
  next_attempt_at: Time.nullable(),
  device_id: z.string().optional(),
});
export type Delivery = z.infer<typeof Delivery>;

const TestReply = z.object({ ok: z.boolean(), message: z.string() });
export type DestinationTestReply = z.infer<typeof TestReply>;

const path = '/api/destinations/:id';

export const destinationsApi = {
  list: endpoint('GET', '/api/destinations', {
    needs: 'signed_in',
    query: ArrayListParams,
    reply: listOf(Destination),
    summary: 'Alert destinations, newest first, without their settings.',
  }),
  types: endpoint('GET', '/api/destinations/types', {
    needs: 'admin',
    reply: z.array(DestinationType),
    summary: 'Kinds of destinations and the options they take.',
  }),
  create: endpoint('POST', '/api/destinations', {
    needs: 'admin',
    body: DestinationFields,
    reply: FullDestination,
    summary: 'Adds an alert destination.',
  }),
  testUnsaved: endpoint('POST', '/api/destinations/test', {
    needs: 'admin',
    body: z.object({ type, options, id: Id.optional() }),
    reply: TestReply,
    summary: 'Sends a test notice with settings that are not saved yet.',
  }),
  get: endpoint('GET', path, { needs: 'admin', params: ById, reply: FullDestination, summary: 'One destination; secrets are masked.' }),
  save: endpoint('POST', path, {
    needs: 'admin',
    params: ById,
    body: DestinationFields,
    reply: FullDestination,
    summary: 'Changes a destination; a masked secret stays as it was.',
  }),
  remove: endpoint('DELETE', path, {
    needs: 'admin',
    params: ById,
    reply: Empty,
    status: 204,
    summary: 'Deletes a destination and its subscriptions.',
  }),
  test: endpoint('POST', `${path}/test`, {
    needs: 'admin',
    params: ById,
    reply: TestReply,
    summary: 'Sends a test notice with the stored settings.',
  }),
  deliveries: endpoint('GET', `${path}/deliveries`, {
    needs: 'admin',
    params: ById,
    query: ListParams,
    reply: page(Delivery),
    summary: 'Notices sent to a destination, newest first.',
  }),
};
