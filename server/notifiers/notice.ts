import { AlertState, Threshold } from '@telltale/domain/alerts/options.ts';
import { z } from 'zod';

const common = {
  /** Subject and body from their template; null where the kind uses its own texts. `html` is the body for a mail. */
  subject: z.string().nullable(),
  body: z.string().nullable(),
  html: z.string().nullable(),
};

/** server-behaviour 14.1, the short form of an alert. */
const ShortAlert = z.object({
  id: z.int(),
  name: z.string(),
  options: z.record(z.string(), z.unknown()),
  state: AlertState,
  last_triggered_at: z.string().nullable(),
  updated_at: z.string(),
  created_at: z.string(),
  rearm: z.int().nullable(),
  query_id: z.int().nullable(),
  user_id: z.int(),
});

/** The state of an alert has changed. All members are final texts, so that every attempt sends the same. */
export const AlertNotice = z.object({
  event: z.literal('alert_state_change'),
  ...common,
  alert: ShortAlert,
  /** The value that the alert evaluated, formatted for people. */
  value: z.string(),
  condition: z.string(),
  threshold: Threshold.nullable(),
  host: z.string(),
  alert_url: z.string(),
  query: z.object({ id: z.int(), name: z.string(), url: z.string() }).nullable(),
  device: z.object({ channel_id: z.string(), device_id: z.string(), device_name: z.string() }).nullable(),
  /** The first rows of the result, for the kinds that show a table. */
  table: z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.string())), isCut: z.boolean() }).nullable(),
  metadata: z.record(z.string(), z.unknown()),
});
export type AlertNotice = z.output<typeof AlertNotice>;

/** A downlink has come to an end (design 8.1). */
export const CommandNotice = z.object({
  event: z.literal('command_delivery'),
  command: z.object({ id: z.int(), name: z.string() }),
  device_id: z.string(),
  state: z.string(),
  reason: z.string().nullable(),
  at: z.string(),
  /** The page of the command. */
  url: z.string(),
});
export type CommandNotice = z.output<typeof CommandNotice>;

/** "Send a test". */
const TestNotice = z.object({ event: z.literal('test'), message: z.string(), url: z.string() });

export const Notice = z.discriminatedUnion('event', [AlertNotice, CommandNotice, TestNotice]);
export type Notice = z.output<typeof Notice>;
