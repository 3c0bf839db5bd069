import { z } from 'zod';
import { ById, endpoint, Id, Time } from '../endpoint.ts';
import { ArrayListParams, listOf } from '../lists/contract.ts';
import { QueryOptions } from '../parameters/contract.ts';
import { Schedule } from './contract.ts';

/** The fields of a version, which `fields` may name. */
export const versionedFields = [
  'name',
  'description',
  'query',
  'data_source_id',
  'schedule',
  'options',
  'tags',
  'is_draft',
  'is_archived',
] as const;
export type VersionedField = (typeof versionedFields)[number];

/** design 8: the author, time and changed fields (W33). */
export const QueryVersion = z.object({
  version: z.int(),
  user: z.object({ id: z.int(), name: z.string(), profile_image_url: z.string() }).nullable(),
  created_at: Time,
  fields: z.array(z.enum(versionedFields)),
});
export type QueryVersion = z.infer<typeof QueryVersion>;

/** A version with its values: saving these again restores it. */
export const QueryVersionDetail = QueryVersion.extend({
  name: z.string(),
  description: z.string().nullable(),
  query: z.string(),
  data_source_id: z.int().nullable(),
  schedule: Schedule.nullable(),
  options: QueryOptions,
  tags: z.array(z.string()),
  is_draft: z.boolean(),
  is_archived: z.boolean(),
});
export type QueryVersionDetail = z.infer<typeof QueryVersionDetail>;

export const queryVersionsApi = {
  list: endpoint('GET', '/api/queries/:id/versions', {
    needs: 'view_query',
    params: ById,
    query: ArrayListParams,
    reply: listOf(QueryVersion),
    summary: 'Every saved version of a query, newest first.',
  }),
  get: endpoint('GET', '/api/queries/:id/versions/:version', {
    needs: 'view_query',
    params: z.object({ id: Id, version: Id }),
    reply: QueryVersionDetail,
    summary: 'One version with its values.',
  }),
};
