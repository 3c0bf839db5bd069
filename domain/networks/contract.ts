import { z } from 'zod';
import { ById, Empty, endpoint, Id, Time } from '../endpoint.ts';
import { TypeSchema } from '../forms/type-schema.ts';
import { ArrayListParams, listOf } from '../lists/contract.ts';
import { bandwidthsKhz } from '../lorawan/airtime.ts';
import { networkTypes } from '../lorawan/networks.ts';

export const NetworkType = z.enum(networkTypes);
export type NetworkType = z.infer<typeof NetworkType>;

const networkStates = ['connecting', 'connected', 'error', 'disabled'] as const;

/** design 8.1; secrets read back as dashes. */
export const Network = z.object({
  id: z.int(),
  name: z.string(),
  type: NetworkType,
  options: z.record(z.string(), z.unknown()),
  state: z.enum(networkStates),
  last_error: z.string().nullable(),
  last_message_at: Time.nullable(),
  /** The address for the network's webhook or HTTP integration, with `Authorization: Bearer {webhook_secret}`. */
  webhook_url: z.string(),
  webhook_secret: z.string(),
  is_disabled: z.boolean(),
  channels: z.int(),
  created_at: Time,
});
export type Network = z.infer<typeof Network>;

export const NetworkKindEntry = z.object({
  name: z.string(),
  type: NetworkType,
  configuration_schema: TypeSchema,
  /** How to set up the webhook at the network; null when it has none. */
  webhook_hint: z.string().nullable(),
});
export type NetworkKindEntry = z.infer<typeof NetworkKindEntry>;

const name = z.string('Name is required.').trim().min(1, 'Name is required.').max(255, 'Name is too long (at most 255 characters).');
const options = z.record(z.string(), z.unknown());
export const NetworkFields = z.object({
  name,
  type: z.string('Type is required.').max(100),
  options: options.default({}),
  is_disabled: z.boolean().optional(),
});
export type NetworkFields = z.output<typeof NetworkFields>;

/** A default of `options` would empty those of a network whose change does not name them. */
export const NetworkChanges = NetworkFields.extend({ options }).partial();
export type NetworkChanges = z.output<typeof NetworkChanges>;

const TestReply = z.object({ ok: z.boolean(), message: z.string() });
export type NetworkTestReply = z.infer<typeof TestReply>;

export const NetworkName = Network.pick({ id: true, name: true, type: true });
export type NetworkName = z.infer<typeof NetworkName>;

const codingRates: Record<string, number> = { '4/5': 1, '4/6': 2, '4/7': 3, '4/8': 4 };
const whole = (title: string, min: number, max: number) => {
  const message = `${title} must be a whole number between ${min} and ${max}.`;
  return z.int(message).min(min, message).max(max, message);
};

/** iot-behaviour 2.5: `bytes` is the application payload. */
export const AirtimeQuestion = z.object({
  bytes: whole('bytes', 0, 242),
  sf: whole('sf', 7, 12),
  bandwidth_khz: z.literal([...bandwidthsKhz], 'bandwidth_khz must be 125, 250 or 500.'),
  /** `4/5` to `4/8`, or 1 to 4. */
  coding_rate: z
    .union([z.enum(['4/5', '4/6', '4/7', '4/8']).transform((text) => codingRates[text] ?? 1), z.int().min(1).max(4)], {
      error: 'coding_rate must be 4/5, 4/6, 4/7 or 4/8.',
    })
    .default(1),
});
export type AirtimeQuestion = z.output<typeof AirtimeQuestion>;
export const Airtime = z.object({ airtime_ms: z.number(), per_hour_at_1_percent: z.int() });
export type Airtime = z.infer<typeof Airtime>;

export const networksApi = {
  list: endpoint('GET', '/api/networks', {
    needs: 'admin',
    query: ArrayListParams,
    reply: listOf(Network),
    summary: 'Networks that devices report through, by name.',
  }),
  types: endpoint('GET', '/api/networks/types', {
    needs: 'admin',
    reply: z.array(NetworkKindEntry),
    summary: 'Kinds of networks and the options they take.',
  }),
  names: endpoint('GET', '/api/networks/names', {
    needs: 'manage_channel',
    reply: z.array(NetworkName),
    summary: 'Names of the networks, for those who bind a channel to one.',
  }),
  airtime: endpoint('POST', '/api/networks/airtime', {
    needs: 'signed_in',
    body: AirtimeQuestion,
    reply: Airtime,
    summary: 'Time on air of a LoRa transmission, and how many of them an hour has room for at a duty cycle of 1 %.',
  }),
  create: endpoint('POST', '/api/networks', {
    needs: 'admin',
    body: NetworkFields,
    reply: Network,
    summary: 'Adds a network; the connection is opened at once.',
  }),
  testUnsaved: endpoint('POST', '/api/networks/test', {
    needs: 'admin',
    body: z.object({ type: z.string().max(100), options: options.default({}), id: Id.optional() }),
    reply: TestReply,
    summary: 'Tries settings that are not saved yet.',
  }),
  get: endpoint('GET', '/api/networks/:id', {
    needs: 'admin',
    params: ById,
    reply: Network,
    summary: 'One network, its state and the secret of its webhook.',
  }),
  save: endpoint('POST', '/api/networks/:id', {
    needs: 'admin',
    params: ById,
    body: NetworkChanges,
    reply: Network,
    summary: 'Changes a network, or turns it off and on.',
  }),
  remove: endpoint('DELETE', '/api/networks/:id', {
    needs: 'admin',
    params: ById,
    reply: Empty,
    summary: 'Deletes a network; its channels keep what was reported.',
  }),
  test: endpoint('POST', '/api/networks/:id/test', {
    needs: 'admin',
    params: ById,
    reply: TestReply,
    summary: 'Tries the stored settings.',
  }),
  rotateSecret: endpoint('POST', '/api/networks/:id/webhook_secret', {
    needs: 'admin',
    params: ById,
    reply: Network,
    summary: 'A new secret for the webhook; the old one opens nothing any more.',
  }),
};
