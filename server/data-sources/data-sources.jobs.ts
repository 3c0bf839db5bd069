import type { TestReply } from '@telltale/domain/data-sources/contract.ts';
import { ExecutorError, type ExecutorPool } from '../executor/pool.ts';
import type { Source } from '../executor/protocol.ts';
import { type JobDefinition, JobError, type JobRun } from '../platform/jobs/define.ts';
import { deleteSchema, findDatabases, saveDatabases, saveSchema } from './data-sources.store.ts';
import { type DataSourceRow, executorSource, getSourceRow } from './data-sources.ts';
import { schemaAnswers } from './schema-answers.ts';
import { readDatabases, readSchemaJob, testSource } from './source-jobs.ts';

const schemaFault = (error: unknown, message: string) =>
  new JobError(message, { code: 2, details: error instanceof Error ? error.message : String(error) });

/** server-behaviour 18.5: tables and columns are sorted by name, which not every source does. */
const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : Number(a.name > b.name));

/** server-behaviour 18.5 and 18.6: error messages of schema jobs. */
const schemaFaults = {
  schema: 'Error retrieving schema',
  tables: 'Error retrieving schema.',
  columns: 'Error retrieving table columns.',
};

async function sourceOf(ctx: JobRun, id: number): Promise<Source> {
  return executorSource(ctx, await getSourceRow(ctx, id));
}

async function listDatabases(ctx: JobRun, executors: ExecutorPool, row: DataSourceRow): Promise<string[]> {
  const { databases = [] } = await executors.perform({ kind: 'databases', source: await executorSource(ctx, row) }, {}, ctx.signal);
  await saveDatabases(ctx.db, row, databases);
  return databases;
}

/** Fails for a database that does not exist, and deletes its stored schema. */
async function requireDatabase(ctx: JobRun, executors: ExecutorPool, row: DataSourceRow, database: string): Promise<void> {
  if ((await findDatabases(ctx.db, row.id))?.includes(database)) return;
  if ((await listDatabases(ctx, executors, row)).includes(database)) return;
  await deleteSchema(ctx.db, row.id, database);
  throw new Error(`Database ${database} does not exist.`);
}

export const sourceJobs = (executors: ExecutorPool): JobDefinition[] => [
  {
    ...testSource,
    async run(ctx, payload): Promise<TestReply> {
      const { data_source_id, type, options_sealed } = testSource.payload.parse(payload);
      const unsaved = options_sealed
        ? { key: `test ${ctx.job_id}`, type: type ?? '', options: JSON.parse(ctx.secrets.open(Buffer.from(options_sealed, 'base64'))) }
        : undefined;
      try {
        const source = unsaved ?? (await sourceOf(ctx, data_source_id ?? 0));
        const { warning } = await executors.perform({ kind: 'test', source }, {}, ctx.signal);
        return { ok: true, message: 'success', ...(warning && { warning }) };
      } catch (error) {
        if (error instanceof ExecutorError) return { ok: false, message: error.message };
        throw error;
      }
    },
  },
  {
    ...readSchemaJob,
    async run(ctx, payload): Promise<ReturnType<(typeof schemaAnswers)[keyof typeof schemaAnswers]>> {
      const { data_source_id, database, answer, table } = readSchemaJob.payload.parse(payload);
      try {
        const row = await getSourceRow(ctx, data_source_id);
        if (database) await requireDatabase(ctx, executors, row, database);
        const { schema: found = [] } = await executors.perform(
          { kind: 'schema', source: await executorSource(ctx, row), database: database || undefined },
          {},
          ctx.signal,
        );
        const schema = found.map((table) => ({ ...table, columns: table.columns.toSorted(byName) })).sort(byName);
        await saveSchema(ctx.db, row, database, schema);
        return schemaAnswers[answer](schema, database, table);
      } catch (error) {
        throw schemaFault(error, schemaFaults[answer]);
      }
    },
  },
  {
    ...readDatabases,
    async run(ctx, payload): Promise<string[]> {
      const { data_source_id } = readDatabases.payload.parse(payload);
      try {
        return await listDatabases(ctx, executors, await getSourceRow(ctx, data_source_id));
      } catch (error) {
        throw schemaFault(error, 'Error retrieving database list.');
      }
    },
  },
];
