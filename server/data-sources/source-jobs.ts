import { z } from 'zod';
import { jobKind } from '../platform/jobs/define.ts';

/** Work on a source that happens in an executor; who queues it needs no executor of their own. */
export const testSource = jobKind({
  name: 'data_sources.test',
  queue: 'schemas',
  timeLimitMs: 30_000,
  isDirect: true,
  /** Unsaved settings travel sealed: a job's payload lies open in the database. */
  payload: z.object({ data_source_id: z.int().nullable(), type: z.string().nullable(), options_sealed: z.string().nullable() }),
});

export const readSchemaJob = jobKind({
  name: 'data_sources.schema',
  queue: 'schemas',
  timeLimitMs: 5 * 60_000,
  onLost: 'retry',
  payload: z.object({ data_source_id: z.int(), database: z.string() }),
});

export const readDatabases = jobKind({
  name: 'data_sources.databases',
  queue: 'schemas',
  timeLimitMs: 60_000,
  onLost: 'retry',
  payload: z.object({ data_source_id: z.int() }),
});
