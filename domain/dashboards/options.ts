import { z } from 'zod';
import { isShallow, tooDeepMessage } from '../json-depth.ts';
import { liveLimits } from '../uplinks/live-record.ts';
import { Position } from './grid.ts';
import { ParameterMappings } from './parameter-mapping.ts';

/** More than any arrangement of parameters needs. */
const longestOptions = 200_000;
export const isSmall = (value: unknown): boolean => JSON.stringify(value).length <= longestOptions;
export const tooLarge = 'The options are too large (at most 200,000 characters).';
const names = z.array(z.string().max(255)).max(500);

/** D3: what a live widget follows, without a query; what else it keeps are options of the picture (visualizations 18). */
export const LiveOptions = z.looseObject({
  channelid: z.string().min(1, 'Choose a channel.').max(64),
  device_ids: z
    .array(z.string().min(1).max(64))
    .min(1, 'Choose at least one device.')
    .max(liveLimits.devices, `At most ${liveLimits.devices} devices.`),
});
export type LiveOptions = z.infer<typeof LiveOptions>;

/** D3: what the page reads is checked, whatever else a client keeps here stays as it is. */
export const WidgetOptions = z.looseObject({
  isHidden: z.boolean().optional(),
  position: Position.optional(),
  parameterMappings: ParameterMappings.optional(),
  paramOrder: names.optional(),
  /** Makes of a widget without a visualization a live one. */
  live: LiveOptions.optional(),
});
export type WidgetOptions = z.infer<typeof WidgetOptions>;

export const DashboardOptions = z.looseObject({
  globalParamOrder: names.optional(),
  /** Values that the dashboard's parameters start with. */
  parameters: z
    .array(z.looseObject({ name: z.string().max(255), value: z.unknown() }))
    .max(500)
    .optional(),
});
export type DashboardOptions = z.infer<typeof DashboardOptions>;

/** As they come in. */
export const GivenWidgetOptions = WidgetOptions.refine(isShallow, tooDeepMessage).refine(isSmall, tooLarge);
export const GivenDashboardOptions = DashboardOptions.refine(isShallow, tooDeepMessage).refine(isSmall, tooLarge);
