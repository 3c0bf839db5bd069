import { z } from 'zod';
import { Empty, endpoint, Time } from '../endpoint.ts';
import { UplinkRecord } from '../uplinks/live-record.ts';
import { ByDevice } from './contract.ts';

/** iot-behaviour 1.5: number, boolean, text, JSON. */
export const LastValue = z.object({
  attribute: z.string(),
  time: Time,
  value: z.number().nullable(),
  value_text: z.string().nullable(),
  kind: z.string(),
  unit: z.string().nullable(),
});
export type LastValue = z.infer<typeof LastValue>;

/** One bucket: the time of its newest reading, and the mean, least and greatest of its values. */
export const Bucket = z.object({ time: Time, avg: z.number(), min: z.number(), max: z.number(), count: z.int() });
export type Bucket = z.infer<typeof Bucket>;
export const Series = z.object({ attribute: z.string(), buckets: z.array(Bucket) });
export type Series = z.infer<typeof Series>;

const historyLimits = { buckets: 2000, attributes: 100, days: 400 } as const;

const whole = (least: number, most: number, usual: number) => z.coerce.number().int().min(least).max(most).default(usual);
const oneOrMany = z
  .union([z.string().max(128), z.array(z.string().max(128)).max(historyLimits.attributes, 'Too many attributes.')])
  .optional()
  .transform((given) => (given === undefined ? null : [given].flat()));

export const HistoryParams = z.object({
  /** The attributes; all numeric ones unless given. */
  attribute: oneOrMany,
  /** The length of the period before `until`. */
  seconds: whole(60, historyLimits.days * 86_400, 86_400),
  until: Time.optional(),
  buckets: whole(1, historyLimits.buckets, 120),
});
export type HistoryParams = z.output<typeof HistoryParams>;

export const MessageParams = z.object({
  q: z.string().max(200).optional(),
  /** Only messages older than this moment. */
  before: z.iso.datetime().optional(),
  limit: whole(1, 100, 50),
});
export type MessageParams = z.output<typeof MessageParams>;

/** Beside uplinks the log shows other reports of a network about the device: joins, acknowledgements, status (iot-behaviour 2.5). */
export const Message = UplinkRecord.extend({
  status: z.enum([...UplinkRecord.shape.status.options, 'event']),
  event: z.object({ name: z.string(), level: z.enum(['info', 'warning', 'error']), message: z.string() }).nullable(),
  /** What a client of MQTT 5 sent along. */
  user_properties: z.record(z.string(), z.unknown()).nullable().optional(),
});
export type Message = z.infer<typeof Message>;

/** Messages of devices, newest first: stored and rejected. `next` is the `before` of the next page; null when there is nothing older. */
export const Messages = z.object({ results: z.array(Message), next: z.string().nullable() });
export type Messages = z.infer<typeof Messages>;

const glanceLimits = { devices: 100, values: 3 } as const;
export const mostGlanceValues = glanceLimits.values;
export const GlanceParams = z.object({
  device_id: z
    .union([z.string().max(64), z.array(z.string().max(64)).max(glanceLimits.devices, 'At most 100 devices.')])
    .transform((given) => [given].flat()),
});
export type GlanceParams = z.output<typeof GlanceParams>;

/** The facts in a row of a device list: the last values, and the first number over the last day, null where nothing came. */
export const DeviceGlance = z.object({
  device_id: z.string(),
  values: z.array(LastValue),
  spark: z.object({ attribute: z.string(), points: z.array(z.number().nullable()) }).nullable(),
});
export type DeviceGlance = z.infer<typeof DeviceGlance>;

const place = z.int().min(0).max(1000);
const size = z.int().min(1).max(1000);
export const DeviceWidget = z.object({
  /** The content: an attribute, or null for the feed of uplinks. */
  attribute: z.string().max(128).nullable(),
  col: place,
  row: place,
  sizeX: size.max(6),
  sizeY: size,
});
export type DeviceWidget = z.infer<typeof DeviceWidget>;
export const DeviceLayout = z.object({ widgets: z.array(DeviceWidget).max(200, 'At most 200 widgets.') });
export type DeviceLayout = z.infer<typeof DeviceLayout>;

const at = (path: string) => `/api/channels/:id/devices/:deviceId/${path}`;

/** The radio facts of one uplink; the oldest comes first. */
export const RadioFrame = z.object({
  time: Time,
  rssi: z.number().nullable(),
  snr: z.number().nullable(),
  sf: z.number().nullable(),
  fcnt: z.number().nullable(),
  /** Uplinks that were lost before this one, by its counter. */
  lost: z.int(),
  gateways: z.int(),
});
export type RadioFrame = z.infer<typeof RadioFrame>;

export const HeardGateway = z.object({
  gateway_id: z.string(),
  uplinks: z.int(),
  rssi: z.number().nullable(),
  snr: z.number().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  last_heard_at: Time,
});
export type HeardGateway = z.infer<typeof HeardGateway>;

/** Radio quality of a device in the last hours; `received` and `lost` add up to the sent uplinks, by the frame counter. */
export const RadioQuality = z.object({
  frames: z.array(RadioFrame),
  gateways: z.array(HeardGateway),
  received: z.int(),
  lost: z.int(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
});
export type RadioQuality = z.infer<typeof RadioQuality>;

export const RadioParams = z.object({ seconds: whole(60, 30 * 86_400, 86_400) });
export type RadioParams = z.output<typeof RadioParams>;

export const deviceDataApi = {
  glance: endpoint('GET', '/api/channels/:id/glance', {
    needs: 'view_channel',
    params: ByDevice.pick({ id: true }),
    query: GlanceParams,
    reply: z.array(DeviceGlance),
    summary: 'Last values of several devices of a channel, and how their first number went in the last 24 hours.',
  }),
  last: endpoint('GET', at('last'), {
    needs: 'view_channel',
    params: ByDevice,
    reply: z.array(LastValue),
    summary: 'The newest value of each attribute.',
  }),
  history: endpoint('GET', at('history'), {
    needs: 'view_channel',
    params: ByDevice,
    query: HistoryParams,
    reply: z.array(Series),
    summary: 'What a device reported, in buckets of time.',
  }),
  messages: endpoint('GET', at('messages'), {
    needs: 'view_channel',
    params: ByDevice,
    query: MessageParams,
    reply: Messages,
    summary: 'Messages of a device as they came in, stored and rejected.',
  }),
  radio: endpoint('GET', at('radio'), {
    needs: 'view_channel',
    params: ByDevice,
    query: RadioParams,
    reply: RadioQuality,
    summary: 'How the uplinks of a LoRaWAN device came through the air: signal, lost frames, gateways.',
  }),
  layout: endpoint('GET', at('dashboard'), {
    needs: 'view_channel',
    params: ByDevice,
    reply: DeviceLayout,
    summary: 'How the live grid of a device is arranged; nothing until somebody does.',
  }),
  saveLayout: endpoint('POST', at('dashboard'), {
    needs: 'manage_channel',
    params: ByDevice,
    body: DeviceLayout,
    reply: Empty,
    summary: 'Keeps how the live grid of a device is arranged.',
  }),
};
