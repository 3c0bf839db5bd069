import { z } from 'zod';
import { ColumnDisplay } from '../channels/attribute-display.ts';
import { ById, Empty, endpoint, Id, Time } from '../endpoint.ts';
import { QueryOptions } from '../parameters/contract.ts';
import { Schedule } from '../queries/contract.ts';
import { User } from '../users/contract.ts';
import { Visualization } from '../visualizations/contract.ts';
import { GivenWidgetOptions, WidgetOptions } from './options.ts';

/** W13: the members of its query that a widget shows; never the text or keys. */
const WidgetQuery = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  query_hash: z.string(),
  schedule: Schedule.nullable(),
  tags: z.array(z.string()),
  version: z.int(),
  user: User,
  last_modified_by: User.nullable(),
  options: QueryOptions,
  /** Ours: how the columns of a query over devices are shown. */
  column_display: ColumnDisplay.optional(),
  data_source_id: z.int().nullable(),
  latest_query_data_id: z.int().nullable(),
  /** Ours: a result older than so many seconds is run again when the dashboard is opened; null accepts any age. */
  stale_seconds: z.int().nullable(),
  /** Ours: on device data, so that the widget can follow new readings. */
  reads_devices: z.boolean(),
  is_archived: z.boolean(),
  is_draft: z.boolean(),
  is_safe: z.boolean(),
  updated_at: Time,
  created_at: Time,
});
export type WidgetQuery = z.infer<typeof WidgetQuery>;

export const WidgetVisualization = Visualization.extend({ query: WidgetQuery });
export type WidgetVisualization = z.infer<typeof WidgetVisualization>;

const fields = { id: z.int(), width: z.int(), options: WidgetOptions, created_at: Time, updated_at: Time };

/** server-behaviour 16.3: with a visualization, or a text box; `restricted` when the viewer may not see its query (16.4). */
export const Widget = z.object({
  ...fields,
  dashboard_id: z.int(),
  /** Ours: goes up with every save, so that no save overwrites unseen changes (W19). */
  version: z.int(),
  text: z.string().optional(),
  /** D3: what it shows, in three fields; a restricted widget has none of them. */
  type: z.enum(['visualization', 'text']).optional(),
  visualization_id: z.int().nullable().optional(),
  query: WidgetQuery.pick({ id: true, name: true, description: true }).optional(),
  visualization: WidgetVisualization.optional(),
  restricted: z.literal(true).optional(),
});
export type Widget = z.infer<typeof Widget>;

/** server-behaviour 16.5: no ids except those needed to request data. */
export const PublicWidget = z.object({
  ...fields,
  text: z.string().optional(),
  visualization: Visualization.pick({ type: true, name: true, description: true, options: true, created_at: true, updated_at: true })
    .extend({
      query: z.object({
        id: z.int(),
        name: z.string(),
        description: z.string().nullable(),
        options: QueryOptions,
        column_display: ColumnDisplay.optional(),
      }),
    })
    .optional(),
  restricted: z.literal(true).optional(),
});
export type PublicWidget = z.infer<typeof PublicWidget>;

const text = z.string().max(100_000, 'The text is too long (at most 100,000 characters).');

/** W9: the fields that may be set; others in a body are ignored, because clients post whole objects back. */
export const NewWidget = z.object({
  dashboard_id: Id,
  /** 0 and null make a text box. */
  visualization_id: z.union([Id, z.literal([0, '0', '']).transform(() => null)]).nullish(),
  text: text.nullish(),
  width: z
    .int()
    .min(1)
    .max(6)
    .nullish()
    .transform((width) => width ?? 1),
  options: GivenWidgetOptions.default({}),
});
export type NewWidget = z.output<typeof NewWidget>;

/** Changes only the sent keys, in the options each on its own: saving a position leaves the parameters alone (W19). */
export const WidgetChanges = z.object({ text: text.nullable(), options: GivenWidgetOptions, version: z.int() }).partial();
export type WidgetChanges = z.output<typeof WidgetChanges>;

export const widgetsApi = {
  create: endpoint('POST', '/api/widgets', {
    needs: 'edit_dashboard',
    body: NewWidget,
    reply: Widget,
    summary: 'Adds a visualization or a text box to a dashboard that you can edit.',
  }),
  get: endpoint('GET', '/api/widgets/:id', {
    needs: 'list_dashboards',
    params: ById,
    reply: Widget,
    summary: 'One widget of a dashboard that one can see.',
  }),
  save: endpoint('POST', '/api/widgets/:id', {
    needs: 'edit_dashboard',
    params: ById,
    body: WidgetChanges,
    reply: Widget,
    summary: 'Changes the text and the sent options of a widget; a stale version is refused with 409.',
  }),
  remove: endpoint('DELETE', '/api/widgets/:id', {
    needs: 'edit_dashboard',
    params: ById,
    reply: Empty,
    summary: 'Takes a widget off its dashboard.',
  }),
};
