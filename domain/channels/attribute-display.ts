import { z } from 'zod';

const thresholdStates = ['ok', 'info', 'warning', 'danger'] as const;
export type ThresholdState = (typeof thresholdStates)[number];

const finite = z.number('A threshold needs a number.').min(-1e300, 'The threshold is too small.').max(1e300, 'The threshold is too large.');

/** From this value on, upwards or downwards, a reading has this state. */
export const Threshold = z.object({
  value: finite,
  side: z.enum(['above', 'below'], 'A threshold holds above or below its value.').default('above'),
  state: z.enum(thresholdStates, 'The state of a threshold is ok, info, warning or danger.').default('warning'),
  /** `band` tints the area beyond the threshold line; `line` draws the line alone. */
  show: z.enum(['band', 'line'], 'A threshold is shown as band or line.').default('band'),
});
export type Threshold = z.output<typeof Threshold>;

const mostThresholds = 8;

/** How the readings of one attribute are shown, whoever shows them. */
export const AttributeDisplay = z.object({
  unit: z.string().max(32).nullable(),
  decimals: z.int().nullable(),
  thresholds: z.array(Threshold),
});
export type AttributeDisplay = z.infer<typeof AttributeDisplay>;

/** By the name of a result's column. */
export const ColumnDisplay = z.record(z.string(), AttributeDisplay);
export type ColumnDisplay = z.infer<typeof ColumnDisplay>;

export const noDisplay: AttributeDisplay = { unit: null, decimals: null, thresholds: [] };

/** What may be kept of an attribute; null takes it back. */
export const DisplayChanges = z.object({
  unit: z
    .string('The unit is a text.')
    .trim()
    .max(32, 'The unit is too long (at most 32 characters).')
    .nullable()
    .transform((unit) => unit || null)
    .optional(),
  decimals: z.int('Decimals are a whole number.').min(0, 'Decimals are 0 to 9.').max(9, 'Decimals are 0 to 9.').nullish(),
  thresholds: z.array(Threshold).max(mostThresholds, `At most ${mostThresholds} thresholds.`).optional(),
});
export type DisplayChanges = z.output<typeof DisplayChanges>;

const severity: Readonly<Record<ThresholdState, number>> = { ok: 0, info: 1, warning: 2, danger: 3 };

const isBeyond = (value: number, { value: limit, side }: Pick<Threshold, 'value' | 'side'>): boolean =>
  side === 'above' ? value >= limit : value <= limit;

/** The most serious of the states that a value is in; null where no threshold holds. */
export function displayState(value: number, thresholds: readonly Threshold[]): ThresholdState | null {
  const found = thresholds.filter((one) => isBeyond(value, one)).map(({ state }) => state);
  return found.length === 0 ? null : found.reduce((worst, state) => (severity[state] > severity[worst] ? state : worst));
}
