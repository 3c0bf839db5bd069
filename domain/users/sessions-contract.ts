import { z } from 'zod';
import { ById, Empty, endpoint, Id, Time } from '../endpoint.ts';

/** design 8.1: a signed-in browser. */
export const UserSession = z.object({
  id: z.int(),
  address: z.string(),
  user_agent: z.string(),
  created_at: Time,
  last_seen_at: Time,
  is_current: z.boolean(),
});
export type UserSession = z.infer<typeof UserSession>;

export const userSessionsApi = {
  list: endpoint('GET', '/api/users/:id/sessions', {
    needs: 'signed_in',
    params: ById,
    reply: z.array(UserSession),
    summary: 'Browsers that are signed in to an account: one’s own, or as administrator anybody’s.',
  }),
  revoke: endpoint('DELETE', '/api/users/:id/sessions/:sessionId', {
    needs: 'signed_in',
    params: ById.extend({ sessionId: Id }),
    reply: Empty,
    summary: 'Signs one browser out.',
  }),
  revokeOthers: endpoint('DELETE', '/api/users/:id/sessions', {
    needs: 'signed_in',
    params: ById,
    reply: Empty,
    summary: 'Signs all browsers of the account out, except the one that asks.',
  }),
};
