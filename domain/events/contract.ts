import { z } from 'zod';
import { Empty, endpoint, Time } from '../endpoint.ts';
import { ListParams, page } from '../lists/contract.ts';

/** The limit in characters of JSON; events of our pages have about 150. */
const largestEvent = 2000;

/** Q3: a usage event. Further keys are kept, within the limits below. */
export const UsageEvent = z
  .object({
    action: z.string().min(1).max(100),
    object_type: z.string().min(1).max(100),
    object_id: z.union([z.string().max(255), z.number(), z.null()]).optional(),
    timestamp: z.number().min(0).max(253_402_300_799).optional(),
    screen_resolution: z.string().max(40).optional(),
  })
  .catchall(z.union([z.string().max(1000), z.number(), z.boolean(), z.null()]))
  .refine((event) => Object.keys(event).length <= 20, 'An event has at most 20 keys.')
  .refine((event) => JSON.stringify(event).length <= largestEvent, 'An event is too long.');
export type UsageEvent = z.output<typeof UsageEvent>;

/** Sent at most once a second (Q7); a browser never needs this many. */
export const largestEventBatch = 200;

export const StoredEvent = z.object({
  org_id: z.int(),
  user_id: z.int().nullable(),
  user_name: z.string().nullable(),
  action: z.string(),
  object_type: z.string(),
  object_id: z.string().nullable(),
  created_at: Time,
  browser: z.string().nullable(),
  location: z.string().nullable(),
  /** Texts, as upstream gives them: the object, and further details. */
  details: z.record(z.string(), z.string()),
});
export type StoredEvent = z.infer<typeof StoredEvent>;

export const eventsApi = {
  record: endpoint('POST', '/api/events', {
    needs: 'signed_in',
    readers: ['query_key', 'dashboard_token'],
    body: z.array(UsageEvent).max(largestEventBatch),
    reply: Empty,
    summary: 'Records a batch of usage events.',
  }),
  list: endpoint('GET', '/api/events', {
    needs: 'admin',
    query: ListParams,
    reply: page(StoredEvent),
    summary: 'What happened, newest first.',
  }),
};
