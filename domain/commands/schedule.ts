import { z } from 'zod';
import { Id, Time } from '../endpoint.ts';
import { Operator, Scalar } from './command.ts';

/** A9. */
export const defaultTimezone = 'Asia/Kolkata';
export const defaultCron = '0 0 00 1/1 * ?*';

/** One comparison of a grouped condition (design 8.1). */
export const Comparison = z.union([
  z.object({ attribute: z.string(), operator: Operator, value: Scalar }),
  z.object({ attribute: z.string(), operator: z.literal('between'), value: z.tuple([Scalar, Scalar]) }),
  z.object({
    attribute: z.string(),
    operator: z.literal('proximity'),
    value: z.object({ words: z.array(z.string()), between: z.int() }),
  }),
]);
export type Comparison = z.infer<typeof Comparison>;
export type Condition = Comparison | { and: Condition[] } | { or: Condition[] };

/** Written out rather than recursive: three groups deep at most (A9). */
const inner = z.union([Comparison, z.object({ and: z.array(Comparison) }), z.object({ or: z.array(Comparison) })]);
const middle = z.union([Comparison, z.object({ and: z.array(inner) }), z.object({ or: z.array(inner) })]);
export const Condition: z.ZodType<Condition> = z.union([Comparison, z.object({ and: z.array(middle) }), z.object({ or: z.array(middle) })]);

export const Schedule = z.object({
  id: z.int(),
  command_id: z.int(),
  type: z.enum(['o', 'r', 'e']),
  name: z.string(),
  timezone: z.string(),
  /** `YYYY-MM-DD HH:mm:ss` for a one-time schedule, cron for a recurring one, null for an event. */
  schedule: z.string().nullable(),
  channel_id: z.string().nullable(),
  device_id: z.string().nullable(),
  attribute: z.string().nullable(),
  operator: z.string().nullable(),
  value: z.unknown(),
  condition: Condition.nullable(),
  hold_seconds: z.int(),
  clear_value: z.number().nullable(),
  cooldown_seconds: z.int(),
  /** The meaning of the schedule in words. */
  sentence: z.string(),
  /** Shown by the filter Active (A2). */
  is_active: z.boolean(),
  next_run_at: Time.nullable(),
  last_run_at: Time.nullable(),
  /** Only for events: whether the condition held at the last look (iot-behaviour 3.7). */
  state: z.enum(['armed', 'active', 'unknown']).nullable(),
  /** The schedule fired too often and waits until a user resumes it. */
  suspended_at: Time.nullable(),
  suspended_reason: z.string().nullable(),
  created_at: Time,
  updated_at: Time,
});
export type Schedule = z.infer<typeof Schedule>;

/** The server answers faults in the words of the specification. */
export const ScheduleInput = z.object({
  id: Id.nullish(),
  type: z.string().max(20).optional(),
  name: z.string().max(1000).nullish(),
  timezone: z.string().max(100).nullish(),
  schedule: z.string().max(1000).nullish(),
  channel_id: z.string().max(64).nullish(),
  device_id: z.string().max(64).nullish(),
  attribute: z.string().max(200).nullish(),
  operator: z.string().max(20).nullish(),
  value: z.unknown().optional(),
  condition: z.unknown().optional(),
  hold_seconds: z.number().nullish(),
  clear_value: z.number().nullish(),
  cooldown_seconds: z.number().nullish(),
});
export type ScheduleInput = z.output<typeof ScheduleInput>;

export const SchedulePreviewInput = z.object({
  type: z.string().max(20).default('r'),
  schedule: z.string().max(1000),
  timezone: z.string().max(100).nullish(),
  /** Runs after this moment; now unless given. */
  after: Time.nullish(),
});
export type SchedulePreviewInput = z.output<typeof SchedulePreviewInput>;

/** `schedule` is the expression as it will be stored: repaired, with seven fields. */
export const SchedulePreview = z.object({ sentence: z.string(), next: z.array(Time), schedule: z.string(), timezone: z.string() });
export type SchedulePreview = z.infer<typeof SchedulePreview>;

/** A run, or one that was missed while no process ran. */
export const ScheduleRun = z.object({
  id: z.int(),
  schedule_id: z.int(),
  due_at: Time,
  status: z.enum(['fired', 'late', 'missed']),
  reason: z.string().nullable(),
  execution_id: z.int().nullable(),
  created_at: Time,
});
export type ScheduleRun = z.infer<typeof ScheduleRun>;
