import type { SchemaTable, TestReply } from '@telltale/domain/data-sources/contract.ts';
import type { Job } from '@telltale/domain/jobs/contract.ts';
import { jobReply, memberOf } from '../jobs/jobs.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { invalid, notFound, unavailable } from '../platform/errors.ts';
import { builtInType } from '../policy/facts.ts';
import { may, whereMay } from '../policy/policy.ts';
import {
  deleteUnreadSchemas,
  findDatabases,
  findSchema,
  listStaleSchemas,
  listWideViews,
  listWideViewWidths,
  type SourceVersion,
} from './data-sources.store.ts';
import { checkedOptions, type DataSourceRow, getDataSource, hasDatabases } from './data-sources.ts';
import { schemaAnswers } from './schema-answers.ts';
import { readDatabases, readSchemaJob, testSource } from './source-jobs.ts';

interface SchemaRequest {
  /** Empty for the source's own database. */
  database: string;
  answer?: keyof typeof schemaAnswers;
  table?: string;
}

type SchemaReply = { schema: SchemaTable[]; refreshed_at: string } | { job: Job };

/** Returns the cached schema, or a job that reads it; an old schema is shown until the new one is ready (complaint 10). */
export async function schemaOf(ctx: UserCtx, id: number, isRefresh: boolean): Promise<SchemaReply> {
  const source = await getDataSource(ctx, id);
  if (source.type === builtInType && !isRefresh) await keepUpWithDevices(ctx, source);
  const isNarrow = source.type === builtInType && !may(ctx.user, 'reach_all', 'channel');
  return isNarrow ? narrowSchema(ctx, source, isRefresh) : cachedOrRead(ctx, source, { database: '' }, isRefresh);
}

const readWaitMs = 5000;
const isWideView = (name: string) => /^(app\.)?channel_/.test(name);

/** Reads the schema again when a channel or an attribute was added since; otherwise it would be missing for up to half an hour. */
async function keepUpWithDevices(ctx: UserCtx, source: SourceVersion): Promise<void> {
  const known = await findSchema(ctx.db, source.id, '');
  if (!known) return;
  const views = await listWideViewWidths(ctx.db);
  const shown = known.tables.filter(({ name }) => isWideView(name));
  const isCurrent =
    shown.length === views.size && shown.every(({ name, columns }) => views.get(name.replace(/^app\./, '')) === columns.length);
  if (!isCurrent) await ctx.jobWatch?.wait(await queueSchema(ctx, source, { database: '' }), readWaitMs);
}

/** design 8.1: the wide views of channels that are not of one's groups are left out; what a job reads is for those who see all. */
async function narrowSchema(ctx: UserCtx, source: SourceVersion, isRefresh: boolean): Promise<SchemaReply> {
  const known = isRefresh ? undefined : await findSchema(ctx.db, source.id, '');
  if (!known) await ctx.jobWatch?.wait(await queueSchema(ctx, source, { database: '' }), 10_000);
  const found = known ?? (await findSchema(ctx.db, source.id, ''));
  if (!found) throw unavailable('The schema could not be read in time. Please try again.');
  const own = new Set(await listWideViews(ctx.db, whereMay(ctx.user, 'reach', 'channel')));
  const isShown = (name: string) => !isWideView(name) || own.has(name.replace(/^app\./, ''));
  return { schema: found.tables.filter(({ name }) => isShown(name)), refreshed_at: found.refreshed_at };
}

async function cachedOrRead(ctx: UserCtx, source: SourceVersion, request: SchemaRequest, isRefresh: boolean): Promise<SchemaReply> {
  const known = await findSchema(ctx.db, source.id, request.database);
  if (known && !isRefresh) return { schema: known.tables, refreshed_at: known.refreshed_at };
  return { job: await jobReply(ctx, await queueSchema(ctx, source, request, memberOf(ctx.user))) };
}

/** The version in the key keeps requests after a change of settings from joining a job with the old ones. */
const queueSchema = (
  ctx: Ctx,
  { id, version }: SourceVersion,
  { database, answer = 'schema', table = '' }: SchemaRequest,
  member?: string,
) =>
  ctx.enqueue(
    readSchemaJob,
    { data_source_id: id, database, answer, table },
    { dedupeKey: `schema ${id} ${version} ${JSON.stringify([database, answer, table])}`, member, meta: { data_source_id: id } },
  );

/** server-behaviour 18.6: other types have no databases to choose from. */
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

/** security 32: nothing is stored for a database name that the source does not know, neither here nor in the job. */
async function schemaOfDatabase(ctx: UserCtx, id: number, request: SchemaRequest, isRefresh: boolean): Promise<SchemaReply> {
  const source = await getSourceWithDatabases(ctx, id);
  const names = isRefresh ? undefined : await findDatabases(ctx.db, id);
  if (names && !names.includes(request.database)) throw notFound('Database');
  return cachedOrRead(ctx, source, request, isRefresh);
}

export async function tablesOf(ctx: UserCtx, id: number, database: string, isRefresh: boolean) {
  const found = await schemaOfDatabase(ctx, id, { database, answer: 'tables' }, isRefresh);
  return 'job' in found ? found : schemaAnswers.tables(found.schema);
}

export async function columnsOf(ctx: UserCtx, id: number, database: string, table: string) {
  const found = await schemaOfDatabase(ctx, id, { database, answer: 'columns', table }, false);
  return 'job' in found ? found : schemaAnswers.columns(found.schema, database, table);
}

/** Waits for the worker to test the connection; a time-out is also an answer (W26). */
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

/** W43: refreshes schemas that are in use in the background, and deletes the others. */
export async function refreshStaleSchemas(ctx: Ctx): Promise<void> {
  await deleteUnreadSchemas(ctx.db);
  for (const { database, ...source } of await listStaleSchemas(ctx.db)) await queueSchema(ctx, source, { database });
}
