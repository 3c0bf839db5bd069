import type { SchemaTable, TestReply } from '@telltale/domain/data-sources/contract.ts';
import type { Job } from '@telltale/domain/jobs/contract.ts';
import { jobReply, memberOf } from '../jobs/jobs.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { invalid, notFound } from '../platform/errors.ts';
import { deleteUnreadSchemas, findDatabases, findSchema, listStaleSchemas, type SourceVersion } from './data-sources.store.ts';
import { checkedOptions, type DataSourceRow, getDataSource, hasDatabases } from './data-sources.ts';
import { schemaAnswers } from './schema-answers.ts';
import { readDatabases, readSchemaJob, testSource } from './source-jobs.ts';

interface Wish {
  /** The source's own when empty. */
  database: string;
  answer?: keyof typeof schemaAnswers;
  table?: string;
}

type SchemaReply = { schema: SchemaTable[]; refreshed_at: string } | { job: Job };

/** Cached, or a job that reads it; an old one is shown until a new one is there (complaint 10). */
export async function schemaOf(ctx: UserCtx, id: number, isRefresh: boolean): Promise<SchemaReply> {
  return cachedOrRead(ctx, await getDataSource(ctx, id), { database: '' }, isRefresh);
}

async function cachedOrRead(ctx: UserCtx, source: SourceVersion, wish: Wish, isRefresh: boolean): Promise<SchemaReply> {
  const known = await findSchema(ctx.db, source.id, wish.database);
  if (known && !isRefresh) return { schema: known.tables, refreshed_at: known.refreshed_at };
  return { job: await jobReply(ctx, await queueSchema(ctx, source, wish, memberOf(ctx.user))) };
}

/** Whoever asks after the settings were changed does not join a job that reads with the old ones. */
const queueSchema = (ctx: Ctx, { id, version }: SourceVersion, { database, answer = 'schema', table = '' }: Wish, member?: string) =>
  ctx.enqueue(
    readSchemaJob,
    { data_source_id: id, database, answer, table },
    { dedupeKey: `schema ${id} ${version} ${JSON.stringify([database, answer, table])}`, member, meta: { data_source_id: id } },
  );

/** server-behaviour 18.6: of other kinds there is nothing to choose. */
async function getSourceWithDatabases(ctx: UserCtx, id: number): Promise<DataSourceRow> {
  const row = await getDataSource(ctx, id);
  if (!hasDatabases(row)) throw invalid('This data source has no databases to choose from.');
  return row;
}

export async function databasesOf(ctx: UserCtx, id: number, isRefresh: boolean) {
  const { version } = await getSourceWithDatabases(ctx, id);
  const known = isRefresh ? undefined : await findDatabases(ctx.db, id);
  if (known) return known;
  const jobId = await ctx.enqueue(
    readDatabases,
    { data_source_id: id },
    { dedupeKey: `databases ${id} ${version}`, member: memberOf(ctx.user), meta: { data_source_id: id } },
  );
  const job = await ctx.jobWatch?.wait(jobId, 2000);
  return job?.status === 3 ? (job.result as string[]) : { job: await jobReply(ctx, jobId) };
}

/** security 32: a name that the source does not know leads to nothing that is kept, here or in the job that reads it. */
async function schemaOfDatabase(ctx: UserCtx, id: number, wish: Wish, isRefresh: boolean): Promise<SchemaReply> {
  const source = await getSourceWithDatabases(ctx, id);
  const names = isRefresh ? undefined : await findDatabases(ctx.db, id);
  if (names && !names.includes(wish.database)) throw notFound('Database');
  return cachedOrRead(ctx, source, wish, isRefresh);
}

export async function tablesOf(ctx: UserCtx, id: number, database: string, isRefresh: boolean) {
  const found = await schemaOfDatabase(ctx, id, { database, answer: 'tables' }, isRefresh);
  return 'job' in found ? found : schemaAnswers.tables(found.schema);
}

export async function columnsOf(ctx: UserCtx, id: number, database: string, table: string) {
  const found = await schemaOfDatabase(ctx, id, { database, answer: 'columns', table }, false);
  return 'job' in found ? found : schemaAnswers.columns(found.schema, database, table);
}

/** The request waits for the worker's answer; one that does not come is an answer too (W26). */
export async function tryConnection(
  ctx: UserCtx,
  given: { id?: number | undefined; type?: string; options?: Record<string, unknown> },
): Promise<TestReply> {
  const row = given.id === undefined ? undefined : await getDataSource(ctx, given.id);
  const sealed =
    given.type === undefined
      ? null
      : ctx.secrets.seal(JSON.stringify(checkedOptions(ctx, given.type, given.options ?? {}, row))).toString('base64');
  if (!row && !sealed) throw invalid('There is nothing to test.');
  const id = await ctx.enqueue(
    testSource,
    { data_source_id: row?.id ?? null, type: given.type ?? null, options_sealed: sealed },
    { user_id: ctx.user.id, member: memberOf(ctx.user) },
  );
  const job = await ctx.jobWatch?.wait(id, 35_000);
  if (job?.status === 3) return job.result as TestReply;
  if (job?.status === 4)
    return { ok: false, message: typeof job.error === 'string' ? job.error : (job.error?.message ?? 'The test failed.') };
  return { ok: false, message: 'No worker answered in time.' };
}

/** W43: only schemas that somebody looks at are kept fresh, in the background; the others are forgotten. */
export async function refreshStaleSchemas(ctx: Ctx): Promise<void> {
  await deleteUnreadSchemas(ctx.db);
  for (const { database, ...source } of await listStaleSchemas(ctx.db)) await queueSchema(ctx, source, { database });
}
