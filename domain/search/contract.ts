import { z } from 'zod';
import { endpoint, Time } from '../endpoint.ts';

const foundTypes = ['dashboard', 'query', 'channel', 'device', 'alert', 'command', 'user'] as const;

/** One object that matches; `url` is its page. */
export const Found = z.object({
  type: z.enum(foundTypes),
  name: z.string(),
  /** Distinguishes equal names: the channel of a device, the address of a user, an id. */
  detail: z.string(),
  url: z.string(),
  changed_at: Time,
});
export type Found = z.infer<typeof Found>;

export const SearchParams = z.object({
  q: z.string().max(200, 'A search has at most 200 characters.').default(''),
  limit: z.coerce.number().int().min(1).max(20).default(6),
});
export type SearchParams = z.output<typeof SearchParams>;

export const searchApi = {
  find: endpoint('GET', '/api/search', {
    needs: 'signed_in',
    query: SearchParams,
    reply: z.object({ results: z.array(Found) }),
    summary: 'Objects of every kind by a part of their name; at most `limit` of each kind, the last changed first.',
  }),
};
