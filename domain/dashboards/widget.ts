import { z } from 'zod';
import { ById, Empty, endpoint, Id, Time } from '../endpoint.ts';
import { QueryOptions } from '../parameters/contract.ts';
import { Visualization } from '../visualizations/contract.ts';
import { GivenWidgetOptions, WidgetOptions } from './options.ts';

/** W13: what a widget needs of its query; never the text, keys or people. */
const WidgetQuery = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  options: QueryOptions,
  data_source_id: z.int().nullable(),
  latest_query_data_id: z.int().nullable(),
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
  /** Ours: goes up with every save, so that nobody overwrites what they have not seen (W19). */
  version: z.int(),
  text: z.string().optional(),
  visualization: WidgetVisualization.optional(),
  restricted: z.literal(true).optional(),
});
export type Widget = z.infer<typeof Widget>;

/** server-behaviour 16.5: no ids but those that data is asked for with. */
export const PublicWidget = z.object({
  ...fields,
  text: z.string().optional(),
  visualization: Visualization.pick({ type: true, name: true, description: true, options: true, created_at: true, updated_at: true })
    .extend({ query: z.object({ id: z.int(), name: z.string(), description: z.string().nullable(), options: QueryOptions }) })
    .optional(),
  restricted: z.literal(true).optional(),
});
export type PublicWidget = z.infer<typeof PublicWidget>;

const text = z.string().max(100_000, 'The text is too long (at most 100,000 characters).');

/** W9: what may be set; everything else in a body is ignored, because clients post whole objects back. */
export const NewWidget = z.object({
  dashboard_id: Id,
  visualization_id: Id.nullish(),
  text: text.nullish(),
  width: z.int().min(1).max(6).default(1),
  options: GivenWidgetOptions.default({}),
});
export type NewWidget = z.output<typeof NewWidget>;

/** Only sent keys change, those of the options each on their own: a position never takes the parameters with it (W19). */
export const WidgetChanges = z.object({ text: text.nullable(), options: GivenWidgetOptions, version: z.int() }).partial();
export type WidgetChanges = z.output<typeof WidgetChanges>;

export const widgetsApi = {
  create: endpoint('POST', '/api/widgets', {
    needs: 'edit_dashboard',
    body: NewWidget,
    reply: Widget,
    summary: 'Adds a visualization or a text box to a dashboard that one may edit.',
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
