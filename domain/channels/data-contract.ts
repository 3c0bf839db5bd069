import { z } from 'zod';
import { Empty, endpoint, Time } from '../endpoint.ts';
import { UplinkRecord } from '../uplinks/live-record.ts';
import { ByDevice } from './contract.ts';

/** iot-behaviour 1.5: number, truth, text, JSON. */
export const LastValue = z.object({
  attribute: z.string(),
  time: Time,
  value: z.number().nullable(),
  value_text: z.string().nullable(),
  kind: z.string(),
  unit: z.string().nullable(),
});
export type LastValue = z.infer<typeof LastValue>;

/** One bucket: the time of its newest reading, and mean, least and greatest of what was reported in it. */
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
  /** All numeric ones unless given. */
  attribute: oneOrMany,
  /** Looks back so far from `until`. */
  seconds: whole(60, historyLimits.days * 86_400, 86_400),
  until: Time.optional(),
  buckets: whole(1, historyLimits.buckets, 120),
});
export type HistoryParams = z.output<typeof HistoryParams>;

export const MessageParams = z.object({
  q: z.string().max(200).optional(),
  /** Only older ones than this moment. */
  before: z.iso.datetime().optional(),
  limit: whole(1, 100, 50),
});
export type MessageParams = z.output<typeof MessageParams>;

/** What devices sent, newest first: stored and rejected. `before` of the next page; null when there is nothing older. */
export const Messages = z.object({ results: z.array(UplinkRecord), next: z.string().nullable() });
export type Messages = z.infer<typeof Messages>;

const place = z.int().min(0).max(1000);
const size = z.int().min(1).max(1000);
export const DeviceWidget = z.object({
  /** What is shown: an attribute, or null for the feed of uplinks. */
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

export const deviceDataApi = {
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
