import { createHash } from 'node:crypto';
import type { PointChange, RerunPreview, RerunRequest } from '@telltale/domain/decoders/contract.ts';
import { getChannelRow } from '../channels/channels.ts';
import type { UserCtx } from '../platform/context.ts';
import type { DecoderPool } from './engine/pool.ts';
import { changesOf } from './point-diff.ts';
import { countBatch, noCounts, type RerunBatch, scanUplinks } from './rerun-scan.ts';
import { countUplinks } from './reruns.store.ts';
import { getActiveDecoder } from './script-in-use.ts';

const dayMs = 86_400_000;
const mostExamples = 20;
const mostErrors = 5;
/** The limits of a preview, because a user waits for it. */
const budget = { uplinks: 20_000, ms: 10_000 };

/** design 8.1: counts what decoding again would add, change and remove, with samples; nothing is written. */
export async function previewRerun(
  ctx: UserCtx,
  pool: DecoderPool,
  channelId: string,
  { days, script: given }: RerunRequest,
): Promise<RerunPreview> {
  const { pk } = await getChannelRow(ctx, channelId);
  const text = given ?? (await getActiveDecoder(ctx, pk)).script;
  const since = new Date(ctx.now.getTime() - days * dayMs).toISOString();
  const scope = { channel_pk: pk, since, until: new Date().toISOString(), onlyUndecoded: false };
  const preview: RerunPreview = { ...noCounts(), total: await countUplinks(ctx.db, scope), examples: [], errors: [] };
  const until = performance.now() + budget.ms;
  const script = { key: createHash('sha256').update(text).digest('base64'), script: text, version: 0 };
  for await (const batch of scanUplinks(ctx.db, pool, scope, script)) {
    countBatch(preview, batch);
    preview.examples.push(...examplesOf(batch, mostExamples - preview.examples.length));
    for (const { decoded } of batch.messages)
      if (preview.errors.length < mostErrors) preview.errors.push(...decoded.errors.filter((error) => !preview.errors.includes(error)));
    if (preview.uplinks >= budget.uplinks || performance.now() > until) break;
  }
  return preview;
}

function examplesOf({ device, messages }: RerunBatch, most: number): PointChange[] {
  const found: PointChange[] = [];
  for (const { diff } of messages) {
    if (found.length >= most) break;
    if (diff) found.push(...changesOf(diff, device.device_id));
  }
  return found.slice(0, Math.max(0, most));
}
