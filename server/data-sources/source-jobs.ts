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

/** What is answered of what was read: all of it, as a database's tables, or the columns of one table (server-behaviour 18.5 and 18.6). */
const SchemaAnswer = z.enum(['schema', 'tables', 'columns']);

export const readSchemaJob = jobKind({
  name: 'data_sources.schema',
  queue: 'schemas',
  timeLimitMs: 5 * 60_000,
  onLost: 'retry',
  payload: z.object({
    data_source_id: z.int(),
    database: z.string(),
    answer: SchemaAnswer.default('schema'),
    table: z.string().default(''),
  }),
});

export const readDatabases = jobKind({
  name: 'data_sources.databases',
  queue: 'schemas',
  timeLimitMs: 60_000,
  onLost: 'retry',
  payload: z.object({ data_source_id: z.int() }),
});
