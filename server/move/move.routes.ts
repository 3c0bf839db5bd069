import { moveApi } from '@telltale/domain/move/contract.ts';
import type { DecoderPool } from '../decoders/engine/pool.ts';
import { jobReply, memberOf } from '../jobs/jobs.ts';
import type { Http } from '../platform/http/http.ts';
import { exportObjects } from './export.ts';
import { importObjects } from './import.ts';
import { importUpstream } from './move.jobs.ts';

export function moveRoutes(http: Http, decoders: DecoderPool): void {
  http.on(moveApi.export, (ctx, { query }) => exportObjects(ctx, query.what));
  http.on(moveApi.import, (ctx, { body: { objects, ...options } }) => importObjects(ctx, objects, { ...options, decoders }));
  http.on(moveApi.upstream, async (ctx, { body: { api_key, ...rest } }) => {
    const api_key_sealed = ctx.secrets.seal(api_key).toString('base64');
    const id = await ctx.enqueue(
      importUpstream,
      { ...rest, api_key_sealed, user_id: ctx.user.id },
      { user_id: ctx.user.id, member: memberOf(ctx.user) },
    );
    return { job: await jobReply(ctx, id) };
  });
}
