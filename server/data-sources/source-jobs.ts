import { z } from 'zod';
import { jobKind } from '../platform/jobs/define.ts';

/** Jobs on a source that run in an executor; the process that queues them needs no executor. */
export const testSource = jobKind({
  name: 'data_sources.test',
  queue: 'schemas',
  timeLimitMs: 30_000,
  isDirect: true,
  /** Unsaved settings are sealed, because the payload of a job is stored unencrypted. */
  payload: z.object({ data_source_id: z.int().nullable(), type: z.string().nullable(), options_sealed: z.string().nullable() }),
});

/** The part of the schema to return: all of it, the tables of a database, or the columns of one table (server-behaviour 18.5 and 18.6). */
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
