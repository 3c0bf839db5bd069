import type { Permission } from '../access/permissions.ts';
import { ById, Empty, endpoint } from '../endpoint.ts';

/** The kinds of objects that can be starred, by the names of upstream's tables. */
export type FavoriteType = 'Query' | 'Dashboard';

/** server-behaviour 17: the same two calls for everything that can be starred; repeating one changes nothing. */
export const favoriteApi = (path: `/api/${string}/:id`, needs: Permission) => ({
  add: endpoint('POST', `${path}/favorite`, { needs, params: ById, reply: Empty, summary: 'Adds to one’s favorites.' }),
  remove: endpoint('DELETE', `${path}/favorite`, { needs, params: ById, reply: Empty, summary: 'Takes out of one’s favorites.' }),
});
