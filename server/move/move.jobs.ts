import { upstreamKinds } from '@telltale/domain/move/contract.ts';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { createCtx, type UserCtx } from '../platform/context.ts';
import type { DB } from '../platform/database-types.ts';
import { defineJob, JobError, type JobRun } from '../platform/jobs/define.ts';
import { createOutgoingHttp } from '../platform/outgoing.ts';
import { findPeople } from '../session/people.ts';
import { importObjects } from './import.ts';
import { UpstreamReader } from './upstream.ts';

/** The context of the user who started the job, with that user's current permissions. */
async function personCtx(ctx: JobRun, userId: number): Promise<UserCtx> {
  const [person] = await findPeople(ctx, [userId]);
  if (!person) throw new JobError('The account of who asked for this is disabled.');
  const { config, secrets, mail, log, databaseUrl } = ctx;
  return createCtx({ db: ctx.db as Kysely<DB>, config, secrets, mail, log, databaseUrl }, person) as UserCtx;
}

/** Reads first, then makes: an installation that does not answer leaves nothing half done here. */
export const importUpstream = defineJob({
  name: 'move.upstream',
  queue: 'default',
  timeLimitMs: 2 * 3600_000,
  payload: z.object({
    user_id: z.int(),
    url: z.string(),
    /** The key is sealed, because a job's payload is readable in the database. */
    api_key_sealed: z.string(),
    what: z.array(z.enum(upstreamKinds)),
    sources: z.record(z.string(), z.int()),
    preview: z.boolean(),
  }),
  run: async (ctx, { user_id, url, api_key_sealed, what, sources, preview }) => {
    const person = await personCtx(ctx, user_id);
    const http = createOutgoingHttp({ allowPrivate: ctx.config.allowPrivate });
    const api_key = ctx.secrets.open(Buffer.from(api_key_sealed, 'base64'));
    const reader = new UpstreamReader(http, { url, api_key, what }, ctx.signal);
    const found = await reader.read();
    const isWanted = {
      queries: what.includes('queries') || what.includes('dashboards') || what.includes('alerts'),
      groups: what.includes('groups'),
    };
    const report = await importObjects(
      person,
      { ...found, queries: isWanted.queries ? found.queries : [], groups: isWanted.groups ? found.groups : [] },
      { sources, preview },
    );
    return { ...report, entries: [...report.entries, ...reader.unread] };
  },
});
