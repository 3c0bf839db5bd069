import { z } from 'zod';

export const alertStates = ['unknown', 'ok', 'triggered'] as const;
export const AlertState = z.enum(alertStates);
export type AlertState = z.infer<typeof AlertState>;

export const operators = ['>', '>=', '<', '<=', '==', '!='] as const;
export const Operator = z.enum(operators);
export type Operator = z.infer<typeof Operator>;

/** A7: older alerts use words for the symbols. */
const words: Record<string, Operator> = {
  'greater than': '>',
  'greater than or equal': '>=',
  'greater than or equals': '>=',
  'less than': '<',
  'less than or equal': '<=',
  'less than or equals': '<=',
  equals: '==',
  '=': '==',
  'not equals': '!=',
  'not equal': '!=',
};
const GivenOperator = z.preprocess(
  (given) => (typeof given === 'string' && Object.hasOwn(words, given.trim().toLowerCase()) ? words[given.trim().toLowerCase()] : given),
  z.enum(operators, `The condition must be one of ${operators.join(', ')}.`),
);

/** Stored as sent: a number, or text that may be a number, a date (YYYY-MM-DD), a time (HH:mm:ss) or both (A9). */
export const Threshold = z.union(
  [z.number(), z.string().max(1000, 'The threshold is too long (at most 1000 characters).'), z.boolean()],
  'The threshold must be a number or a text.',
);
export type Threshold = z.infer<typeof Threshold>;

/** design 8.1: which row of a result counts. */
const selectors = ['first', 'min', 'max', 'any', 'all'] as const;
export const Selector = z.enum(selectors, `The selector must be one of ${selectors.join(', ')}.`);
export type Selector = z.infer<typeof Selector>;

export const longestSeconds = 366 * 86_400;
const seconds = (what: string, least: number) => {
  const message = `${what} must be between ${least} and ${longestSeconds} seconds.`;
  return z.number(`${what} must be a number of seconds.`).int(message).min(least, message).max(longestSeconds, message);
};

/** A4: 0 (or null) just once, 1 each time, otherwise at most every so many seconds. */
export const Rearm = seconds('Rearm', 0).nullable();

export const leastSilentSeconds = 5;
const longText = (what: string, most: number) => z.string().max(most, `${what} is too long (at most ${most} characters).`).nullish();

const Muted = z.boolean('Muted must be true or false.');
const common = {
  muted: Muted.default(false),
  custom_subject: longText('The subject', 1000),
  custom_body: longText('The body', 100_000),
  /** The body as older alerts name it. */
  template: longText('The template', 100_000),
};
const condition = { op: GivenOperator.default('>'), value: Threshold.default(1) };
const devices = {
  channel_id: z.string('Choose a channel.').min(1, 'Choose a channel.').max(64),
  /** Empty: every device of the channel. */
  device_ids: z.array(z.string().min(1).max(64)).max(10_000, 'Too many devices.').default([]),
};

export const QueryAlertOptions = z.object({
  kind: z.literal('query').default('query'),
  column: z.string('Choose a column.').min(1, 'Choose a column.').max(1000),
  ...condition,
  selector: Selector.default('first'),
  ...common,
});
export const DeviceAlertOptions = z.object({
  kind: z.literal('device'),
  ...devices,
  attribute: z.string('Choose an attribute.').trim().min(1, 'Choose an attribute.').max(128),
  ...condition,
  for_seconds: seconds('The duration', 0).default(0),
  ...common,
});
export const SilenceAlertOptions = z.object({
  kind: z.literal('silence'),
  ...devices,
  silent_seconds: seconds('The silence', leastSilentSeconds),
  ...common,
});
export type QueryAlertOptions = z.output<typeof QueryAlertOptions>;
export type DeviceAlertOptions = z.output<typeof DeviceAlertOptions>;
export type SilenceAlertOptions = z.output<typeof SilenceAlertOptions>;

/** design 8.1: `kind` names the watched object; without it a query is watched. */
export const AlertOptions = z.discriminatedUnion('kind', [QueryAlertOptions, DeviceAlertOptions, SilenceAlertOptions]);
export type AlertOptions = z.output<typeof AlertOptions>;
export type AlertKind = AlertOptions['kind'];

/** Null means "not given" (A5); without a kind a query is watched. */
function completed(given: unknown): unknown {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return given;
  return { kind: 'query', ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) };
}

/** Options as clients send them: `kind` may be left out, and rearm may be in here (A3). */
const sentOptions = <More extends z.ZodRawShape>(more: More) =>
  z.preprocess(
    completed,
    z.discriminatedUnion(
      'kind',
      [QueryAlertOptions.extend(more), DeviceAlertOptions.extend(more), SilenceAlertOptions.extend(more)],
      'An alert watches a query, a device or silence.',
    ),
  );
const rearm = Rearm.optional();
export const NewAlertOptions = sentOptions({ rearm });
export type NewAlertOptions = z.output<typeof NewAlertOptions>;
/** Without `muted`, the alert stays muted or not as it is. */
export const ChangedAlertOptions = sentOptions({ rearm, muted: Muted.optional() });
export type ChangedAlertOptions = z.output<typeof ChangedAlertOptions>;
