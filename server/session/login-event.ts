import { recordEvent } from '../events/events.ts';
import type { Ctx } from '../platform/context.ts';

/** server-behaviour 2: a `login` event names the user who signed in, although the request itself was anonymous. */
export const recordLogin = (ctx: Ctx, { id, org_id }: { id: number; org_id: number }): Promise<unknown> =>
  recordEvent(
    {
      ...ctx,
      identity: {
        kind: 'user',
        id,
        org_id,
        name: '',
        email: '',
        group_ids: [],
        permissions: [],
        channel_pks: [],
        via: 'session',
        session_id: null,
      },
    },
    'login',
    'redash',
    org_id,
  );
