import { z } from 'zod';
import { CommandInput } from '../commands/command.ts';
import { AlertCommand } from '../commands/contract.ts';
import { ScheduleInput } from '../commands/schedule.ts';
import { endpoint } from '../endpoint.ts';
import { Job } from '../jobs/contract.ts';
import { isShallow, tooDeepMessage } from '../json-depth.ts';

/** The contents of an exported file; ids are those of the original installation and only connect its parts. */
const Options = z.record(z.string(), z.unknown()).refine(isShallow, tooDeepMessage);
const Source = z.object({ id: z.int(), name: z.string(), type: z.string().default('') });

const MovedVisualization = z.object({
  id: z.int(),
  type: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  options: Options.default({}),
});
export const MovedQuery = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string().nullish(),
  query: z.string(),
  options: Options.default({}),
  schedule: Options.nullish(),
  tags: z.array(z.string()).nullish(),
  is_draft: z.boolean().default(true),
  data_source: Source.nullable(),
  visualizations: z.array(MovedVisualization).max(500).default([]),
});
export type MovedQuery = z.output<typeof MovedQuery>;

const MovedWidget = z.object({
  visualization_id: z.int().nullish(),
  text: z.string().nullish(),
  width: z.int().default(1),
  options: Options.default({}),
});
export const MovedDashboard = z.object({
  id: z.int(),
  name: z.string(),
  tags: z.array(z.string()).nullish(),
  is_draft: z.boolean().default(true),
  dashboard_filters_enabled: z.boolean().default(false),
  options: Options.default({}),
  widgets: z.array(MovedWidget).max(1000).default([]),
});
export type MovedDashboard = z.output<typeof MovedDashboard>;

export const MovedAlert = z.object({
  id: z.int(),
  name: z.string(),
  query_id: z.int().nullable(),
  options: Options,
  rearm: z.int().nullish(),
});
export type MovedAlert = z.output<typeof MovedAlert>;

/**
 * Settings of channels and devices. The import checks each by the rules of the call that sets it, so that a wrong one is reported and costs
 * only itself. Files of older versions have none.
 */
const MovedDevice = z.object({
  device_id: z.string(),
  device_name: z.string(),
  dev_eui: z.string().nullish(),
  settings: Options.optional(),
  /** The dashboard of the device; null for one that nobody arranged. */
  layout: Options.nullish(),
});
export const MovedChannel = z.object({
  channel_id: z.string(),
  channel_name: z.string(),
  kind: z.string(),
  is_disabled: z.boolean().default(false),
  settings: Options.optional(),
  /** Networks have other ids elsewhere, so a channel finds its network by name and type; null for a channel without one. */
  network: z.object({ name: z.string(), type: z.string() }).nullish(),
  decoder: Options.nullish(),
  attributes: z.array(Options).max(10_000).default([]),
  devices: z.array(MovedDevice).max(100_000).default([]),
});
export type MovedChannel = z.output<typeof MovedChannel>;

/** Its channel and devices go by their ids, the alerts that send it by their names. */
export const MovedCommand = CommandInput.omit({ command_name: true }).extend({
  id: z.int(),
  name: z.string(),
  channel_id: z.string(),
  schedules: z
    .array(ScheduleInput.omit({ id: true }).refine(isShallow, tooDeepMessage))
    .max(200)
    .default([]),
  alerts: z
    .array(z.object({ name: z.string(), on: AlertCommand.shape.on }))
    .max(1000)
    .default([]),
});
export type MovedCommand = z.output<typeof MovedCommand>;

export const MovedGroup = z.object({ id: z.int(), name: z.string(), type: z.string().default('regular') });
export const MovedUser = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  group_ids: z.array(z.int()).default([]),
  is_disabled: z.boolean().default(false),
});
export type MovedUser = z.output<typeof MovedUser>;

export const Bundle = z.object({
  format: z.literal('telltale objects 1'),
  made_at: z.string().optional(),
  groups: z.array(MovedGroup).max(10_000).default([]),
  users: z.array(MovedUser).max(100_000).default([]),
  channels: z.array(MovedChannel).max(10_000).default([]),
  queries: z.array(MovedQuery).max(100_000).default([]),
  dashboards: z.array(MovedDashboard).max(100_000).default([]),
  alerts: z.array(MovedAlert).max(100_000).default([]),
  commands: z.array(MovedCommand).max(100_000).default([]),
});
export type Bundle = z.output<typeof Bundle>;

export const movedKinds = ['queries', 'dashboards', 'alerts', 'channels', 'commands'] as const;
export const upstreamKinds = ['queries', 'dashboards', 'alerts', 'users', 'groups'] as const;

/** `made` means taken over, or would be; `exists` means already there; any other outcome has a reason. */
export const MoveReport = z.object({
  preview: z.boolean(),
  counts: z.record(z.string(), z.int()),
  entries: z.array(
    z.object({
      kind: z.string(),
      name: z.string(),
      outcome: z.enum(['made', 'exists', 'changed', 'refused']),
      /** The id of the new object. */
      id: z.union([z.int(), z.string()]).optional(),
      reason: z.string().optional(),
    }),
  ),
});
export type MoveReport = z.infer<typeof MoveReport>;

/** Our source for each of theirs; the others are found by their names. */
const Sources = z.record(z.string().regex(/^\d{1,10}$/), z.int()).default({});

export const moveApi = {
  export: endpoint('GET', '/api/export', {
    needs: 'admin',
    query: z.object({ what: z.string().max(200).optional() }),
    reply: Bundle,
    summary:
      'Queries, dashboards, alerts, channels with their settings, and commands with their schedules, as one file; `what` names some of them, with commas.',
  }),
  import: endpoint('POST', '/api/import', {
    needs: 'admin',
    body: z.object({ objects: Bundle, sources: Sources, preview: z.boolean().default(false) }),
    reply: MoveReport,
    summary: 'Makes the objects of a file anew and reports what could not be; a preview makes nothing.',
  }),
  upstream: endpoint('POST', '/api/import/upstream', {
    needs: 'admin',
    body: z.object({
      url: z.url('This is no address.').max(2000),
      api_key: z.string().trim().min(1, 'API key is required.').max(200),
      what: z
        .array(z.enum(upstreamKinds))
        .min(1)
        .default([...upstreamKinds]),
      sources: Sources,
      preview: z.boolean().default(false),
    }),
    reply: z.object({ job: Job }),
    summary: 'Takes over objects from a Redash-compatible installation; the result of the job is the report.',
  }),
};
