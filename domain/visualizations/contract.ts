import { z } from 'zod';
import { ById, Empty, endpoint, Id, Time } from '../endpoint.ts';
import { isShallow, tooDeepMessage } from '../json-depth.ts';

/** server-behaviour 12.1. Options belong to the kind: the server keeps them as they are. */
export const Visualization = z.object({
  id: z.int(),
  query_id: z.int(),
  type: z.string(),
  name: z.string(),
  description: z.string(),
  options: z.record(z.string(), z.unknown()),
  created_at: Time,
  updated_at: Time,
});
export type Visualization = z.infer<typeof Visualization>;

const fields = {
  type: z.string('Type is required.').trim().min(1, 'Type is required.').max(100, 'Type is too long (at most 100 characters).'),
  name: z.string('Name is required.').trim().min(1, 'Name is required.').max(255, 'Name is too long (at most 255 characters).'),
  description: z
    .string()
    .max(4096, 'Description is too long (at most 4096 characters).')
    .nullish()
    .transform((text) => text ?? ''),
  options: z.record(z.string(), z.unknown()).refine(isShallow, tooDeepMessage),
};

/** W9: the fields that may be set; others in a body are ignored, because clients post whole objects back. */
export const NewVisualization = z.object({
  ...fields,
  query_id: Id,
  type: fields.type.default('TABLE'),
  options: fields.options.default({}),
});
export type NewVisualization = z.output<typeof NewVisualization>;
export const VisualizationChanges = z
  .object({ type: fields.type, name: fields.name, description: z.string().max(4096).nullable(), options: fields.options })
  .partial();
export type VisualizationChanges = z.output<typeof VisualizationChanges>;

/** Complaint 13: the tabs of a query from left to right. */
const VisualizationOrder = z.object({ ids: z.array(Id).max(1000) });

/** Q5: older tables store the number of rows in their options. */
export function storedOptions(type: string, options: Record<string, unknown>): Record<string, unknown> {
  if (type !== 'TABLE' || !('paginationSize' in options)) return options;
  const { paginationSize: _, ...kept } = options;
  return kept;
}

export const visualizationsApi = {
  create: endpoint('POST', '/api/visualizations', {
    needs: 'edit_query',
    body: NewVisualization,
    reply: Visualization,
    summary: 'Adds a visualization to a query that you can edit.',
  }),
  get: endpoint('GET', '/api/visualizations/:id', {
    needs: 'view_query',
    params: ById,
    reply: Visualization,
    summary: 'One visualization of a query that one can see.',
  }),
  save: endpoint('POST', '/api/visualizations/:id', {
    needs: 'edit_query',
    params: ById,
    body: VisualizationChanges,
    reply: Visualization,
    summary: 'Changes the sent fields of a visualization.',
  }),
  order: endpoint('POST', '/api/queries/:id/visualizations/order', {
    needs: 'edit_query',
    params: ById,
    body: VisualizationOrder,
    reply: Empty,
    summary: 'Orders the visualizations of a query that you can edit; all of them are named, each once.',
  }),
  remove: endpoint('DELETE', '/api/visualizations/:id', {
    needs: 'edit_query',
    params: ById,
    reply: Empty,
    summary: 'Deletes a visualization that nothing shows any more.',
  }),
};
