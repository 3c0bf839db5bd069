import { setTimeout as delay } from 'node:timers/promises';
import { breakerLimits } from '@telltale/domain/decoders/limits.ts';
import type { Kysely } from 'kysely';
import type { DB } from '../platform/database-types.ts';
import { defineJob, JobError, type JobRun } from '../platform/jobs/define.ts';
import { Partitions } from '../uplinks/storage/partitions.ts';
import { findActiveDecoder } from './decoders.store.ts';
import { DecoderPool } from './engine/pool.ts';
import { countBatch, noCounts, type RerunBatch, scanUplinks } from './rerun-scan.ts';
import { writeBatch } from './rerun-write.ts';
import { countUplinks, insertRerun, type Scope, writeProgress } from './reruns.store.ts';
import { rerunKind } from './reruns.ts';

/** The job pauses as long as it works, up to this limit, so that it does not slow devices down (iot-behaviour 4.2). */
const longestRestMs = 500;

export const rerunDecoder = defineJob({
  ...rerunKind,
  async run(ctx: JobRun, { channel_pk, since, onlyUndecoded }: { channel_pk: number; since: string; onlyUndecoded: boolean }) {
    const active = await findActiveDecoder(ctx.db, channel_pk);
    if (!active || active.script.trim() === '') throw new JobError('The channel has no decoder.');
    const db = ctx.db as Kysely<DB>;
    const scope: Scope = { channel_pk, since, until: new Date().toISOString(), onlyUndecoded };
    const progress = { ...noCounts(), total: await countUplinks(db, scope) };
    await insertRerun(db, ctx.job_id, channel_pk, active.version, null);
    await writeProgress(db, ctx.job_id, progress);
    const partitions = new Partitions(db, ctx.log);
    const pool = new DecoderPool({ threads: 1 });
    let timeouts = 0;
    try {
      const script = { key: `${channel_pk}/${active.version}`, script: active.script, version: active.version };
      for await (const batch of scanUplinks(db, pool, scope, script)) {
        const begun = performance.now();
        timeouts += countTimeouts(batch);
        await writeBatch(db, partitions, channel_pk, active.version, batch);
        countBatch(progress, batch);
        await writeProgress(db, ctx.job_id, progress);
        if (timeouts >= breakerLimits.timeouts) throw new JobError('The decoder takes too long: decoding again was stopped.');
        await delay(Math.min(longestRestMs, performance.now() - begun), undefined, { signal: ctx.signal });
      }
    } finally {
      await pool.stop();
    }
    const { total: _, ...counts } = progress;
    return counts;
  },
});

const countTimeouts = ({ messages }: RerunBatch) =>
  messages.filter(({ decoded }) => decoded.errors.some((error) => error.startsWith('decoder_timeout:'))).length;
