import { z } from 'zod';
import { ById, Empty, endpoint, Id, Time } from '../endpoint.ts';
import { ArrayListParams, listOf } from '../lists/contract.ts';

/** A key of a query, never the key itself: its holder, its creation, its last use, and whether it was revoked. */
export const QueryKey = z.object({
  query: z.object({ id: z.int(), name: z.string() }),
  user: z.object({ id: z.int(), name: z.string(), profile_image_url: z.string() }),
  created_at: Time,
  last_used_at: Time.nullable(),
  revoked_at: Time.nullable(),
});
export type QueryKey = z.infer<typeof QueryKey>;

export const queryKeysApi = {
  list: endpoint('GET', '/api/query_keys', {
    needs: 'view_query',
    query: ArrayListParams,
    reply: listOf(QueryKey),
    summary: 'Keys of one’s own queries, for administrators of all; those in use first.',
  }),
  ofQuery: endpoint('GET', '/api/queries/:id/api_keys', {
    needs: 'view_query',
    params: ById,
    reply: z.array(QueryKey),
    summary: 'Which keys a query has, for its owner and administrators.',
  }),
  revoke: endpoint('DELETE', '/api/queries/:id/api_keys/:userId', {
    needs: 'view_query',
    params: z.object({ id: Id, userId: Id }),
    reply: Empty,
    summary: 'Ends somebody’s key of a query at once, for its owner and administrators.',
  }),
};
