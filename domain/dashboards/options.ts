import { z } from 'zod';
import { isShallow, tooDeepMessage } from '../json-depth.ts';
import { liveLimits } from '../uplinks/live-record.ts';
import { Position } from './grid.ts';
import { ParameterMappings } from './parameter-mapping.ts';

/** The limit exceeds what any arrangement of parameters needs. */
const longestOptions = 200_000;
export const isSmall = (value: unknown): boolean => JSON.stringify(value).length <= longestOptions;
export const tooLarge = 'The options are too large (at most 200,000 characters).';
const names = z.array(z.string().max(255)).max(500);

/** D3: the devices of a live widget, which has no query; its other options are those of the picture (visualizations 18). */
export const LiveOptions = z.looseObject({
  channelid: z.string().min(1, 'Choose a channel.').max(64),
  device_ids: z
    .array(z.string().min(1).max(64))
    .min(1, 'Choose at least one device.')
    .max(liveLimits.devices, `At most ${liveLimits.devices} devices.`),
});
export type LiveOptions = z.infer<typeof LiveOptions>;

/** D3: options that the page reads are checked, all others of a client stay as they are. */
export const WidgetOptions = z.looseObject({
  isHidden: z.boolean().optional(),
  position: Position.optional(),
  parameterMappings: ParameterMappings.optional(),
  paramOrder: names.optional(),
  /** Makes a widget without a visualization a live one. */
  live: LiveOptions.optional(),
  /** Ours: the query runs again when devices report, at most once a second. */
  follows_readings: z.boolean().optional(),
});
export type WidgetOptions = z.infer<typeof WidgetOptions>;

export const DashboardOptions = z.looseObject({
  globalParamOrder: names.optional(),
  /** Ours: changed values of parameters are applied by themselves, as in the options of a query. */
  auto_apply: z.boolean().optional(),
  /** Initial values of the dashboard's parameters. */
  parameters: z
    .array(z.looseObject({ name: z.string().max(255), value: z.unknown() }))
    .max(500)
    .optional(),
});
export type DashboardOptions = z.infer<typeof DashboardOptions>;

/** Options as clients send them; null, as some send it, means none. */
export const GivenWidgetOptions = WidgetOptions.nullable()
  .transform((options) => options ?? {})
  .refine(isShallow, tooDeepMessage)
  .refine(isSmall, tooLarge);
export const GivenDashboardOptions = DashboardOptions.nullable()
  .transform((options) => options ?? {})
  .refine(isShallow, tooDeepMessage)
  .refine(isSmall, tooLarge);
