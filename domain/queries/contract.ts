import { z } from 'zod';
import { ById, endpoint, Id, Time } from '../endpoint.ts';
import { QueryOptions } from '../parameters/contract.ts';
import { User } from '../users/contract.ts';

export const Schedule = z.looseObject({
  interval: z.union([z.number(), z.string(), z.null()]).optional(),
  time: z.string().nullable().optional(),
  day_of_week: z.string().nullable().optional(),
  until: z.string().nullable().optional(),
});

export const Visualization = z.object({
  id: z.int(),
  type: z.string(),
  name: z.string(),
  description: z.string(),
  options: z.record(z.string(), z.unknown()),
  created_at: Time,
  updated_at: Time,
});
export type Visualization = z.infer<typeof Visualization>;

/** server-behaviour 7.1, the single-object form. */
export const Query = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  query: z.string(),
  query_hash: z.string(),
  api_key: z.string().optional(),
  data_source_id: z.int().nullable(),
  latest_query_data_id: z.int().nullable(),
  schedule: Schedule.nullable(),
  options: QueryOptions,
  tags: z.array(z.string()),
  is_archived: z.boolean(),
  is_draft: z.boolean(),
  is_safe: z.boolean(),
  version: z.int(),
  user: User,
  last_modified_by: User.nullable(),
  visualizations: z.array(Visualization),
  can_edit: z.boolean().optional(),
  created_at: Time,
  updated_at: Time,
});
export type Query = z.infer<typeof Query>;

const name = z.string('Name is required.').trim().min(1, 'Name is required.').max(255, 'Name is too long (at most 255 characters).');
const tags = z
  .array(z.string().max(100).nullable())
  .max(100)
  .transform((all) => [...new Set(all.flatMap((tag) => tag?.trim() || []))]);
const text = z.string('Query is required.').max(1_000_000, 'The query is too long.');

/** W9: what may be set; everything else in a body is ignored, because clients post whole objects back. */
const fields = {
  name,
  description: z.string().max(4096, 'Description is too long (at most 4096 characters).').nullable(),
  query: text,
  data_source_id: Id,
  schedule: Schedule.nullable(),
  options: QueryOptions,
  tags,
  is_draft: z.boolean(),
};
export const NewQuery = z.object(fields).partial({ description: true, schedule: true, options: true, tags: true, is_draft: true });
export const QueryChanges = z.object({ ...fields, version: z.int() }).partial();
export type NewQuery = z.output<typeof NewQuery>;
export type QueryChanges = z.output<typeof QueryChanges>;

export const queriesApi = {
  create: endpoint('POST', '/api/queries', {
    needs: 'create_query',
    body: NewQuery,
    reply: Query,
    summary: 'Saves a new query as a draft.',
  }),
  get: endpoint('GET', '/api/queries/:id', {
    needs: 'view_query',
    readers: ['query_key', 'dashboard_token'],
    params: ById,
    reply: z.union([
      Query,
      Query.omit({
        query: true,
        query_hash: true,
        api_key: true,
        user: true,
        last_modified_by: true,
        data_source_id: true,
        schedule: true,
      }),
    ]),
    summary: 'One query; readers by key get it without its text.',
  }),
  save: endpoint('POST', '/api/queries/:id', {
    needs: 'edit_query',
    params: ById,
    body: QueryChanges,
    reply: Query,
    summary: 'Changes the sent fields; a stale version is refused with 409.',
  }),
};
