import type { Job } from '@telltale/domain/jobs/contract.ts';
import { accessTo, getSourceRow } from '../data-sources/data-sources.ts';
import { recordEvent } from '../events/events.ts';
import { memberOf } from '../jobs/jobs.ts';
import { getSettings } from '../organizations/organizations.ts';
import type { Ctx, ReaderCtx } from '../platform/context.ts';
import { AppError, forbidden, notFound } from '../platform/errors.ts';
import { Streamed } from '../platform/http/http.ts';
import { isOutcomeOf } from '../platform/jobs/queue.ts';
import { mayReadJoined } from '../queries/joined-results.ts';
import { getQuery, type QueryRow } from '../queries/queries.ts';
import { savedValues } from '../queries/query-text.ts';
import { mayAskWith } from '../queries/shared-queries.ts';
import type { Chunk } from '../wire/chunk.ts';
import { envelope, type ResultHead } from '../wire/envelope.ts';
import { gzipFrame, gzipped, plainFrame } from '../wire/gzip-frame.ts';
import { readChunks } from './chunk-reader.ts';
import { isAnswerTo } from './execution.ts';
import { csv } from './export/csv.ts';
import { contentDisposition, contentTypes, type FileType } from './export/file-name.ts';
import { xlsx } from './export/xlsx.ts';
import { requireGuestPatience } from './guests.ts';
import { findResult, noteUse, type ResultRow } from './results.store.ts';
import type { RunAnswer } from './submission.ts';

/** A reader by key never receives SQL text (design 8). */
function headOf(ctx: Ctx, row: ResultRow): ResultHead {
  const text = ctx.identity.kind === 'user' ? { query: row.query, query_hash: row.query_hash, data_source_id: row.data_source_id } : {};
  const log = row.log ? { log: row.log } : {};
  const metadata = row.data_scanned === null ? {} : { metadata: { data_scanned: row.data_scanned } };
  return { id: row.id, ...text, runtime: row.runtime, retrieved_at: row.retrieved_at, data: { columns: row.columns, ...log, ...metadata } };
}

/** Named, and not with the weight 0, which means "anything but that". */
const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/** W34: the stored bytes are the answer; nothing is parsed or compressed again. */
function jsonBody(
  ctx: Ctx,
  row: ResultRow,
  chunks: AsyncGenerator<Chunk>,
  { beside = {}, headers = {} }: { beside?: Record<string, unknown>; headers?: Record<string, string> },
): Streamed {
  const { prefix, suffix } = envelope(headOf(ctx, row), beside);
  const type = { 'content-type': 'application/json; charset=utf-8', vary: 'Accept-Encoding' };
  if (!takesGzip.test(ctx.request.acceptEncoding)) {
    return new Streamed({ ...type, 'content-encoding': 'identity', ...headers }, plainFrame(prefix, chunks, suffix));
  }
  return new Streamed({ ...type, 'content-encoding': 'gzip', ...headers }, gzipFrame(prefix, chunks, suffix));
}

/** Only a cache hit answers the result alone; a finished run says which job it was, too (design 4). */
export function runReply(ctx: Ctx, answer: RunAnswer): { job: Job } | Streamed {
  if (!answer.result) return { job: answer.job };
  return jsonBody(ctx, answer.result, answer.chunks, { beside: answer.job ? { job: answer.job } : {} });
}

const smallFileBytes = 64 * 1024;
const fileMaxAge = 60;
const fileTypes: readonly string[] = ['json', 'csv', 'tsv', 'xlsx'] satisfies FileType[];
const isFileType = (text: string): text is FileType => fileTypes.includes(text);

/** `17`, `17.csv` … */
export function readFileName(file: string): { id: number; type: FileType | undefined } {
  const [, id = '', type] = /^(\d{1,9})(?:\.(\w+))?$/.exec(file) ?? [];
  if (!id || (type !== undefined && !isFileType(type))) throw notFound('Result');
  return { id: Number(id), type: type as FileType | undefined };
}

/** server-behaviour 11.2: what somebody takes who has no name is at least counted. */
async function recordKeyRead(ctx: ReaderCtx, row: ResultRow, query: QueryRow | undefined, type: FileType | undefined): Promise<void> {
  if (ctx.identity.kind === 'user') return;
  const by = { api_key: ctx.identity.name, file_type: type ?? 'json' };
  await recordEvent(ctx, 'api_get', query ? 'query' : 'query_result', query?.id ?? row.id, by);
}

export async function sendResult(
  ctx: ReaderCtx,
  row: ResultRow,
  type: FileType | undefined,
  options: { query?: QueryRow | undefined; isRaw: boolean; isFixed: boolean },
): Promise<Streamed> {
  const { query, isRaw, isFixed } = options;
  await Promise.all([noteUse(ctx.db, row), recordKeyRead(ctx, row, query, type)]);
  const download = { result_id: row.id, retrieved_at: row.retrieved_at, ...(query ? { query: { id: query.id, name: query.name } } : {}) };
  const named: Record<string, string> = type ? { 'content-disposition': contentDisposition(download, type) } : {};
  const tag = `result-${row.id}-${ctx.identity.kind}`;
  const chunks = readChunks(ctx.db, row);
  if (type === undefined || type === 'json') {
    const fixed: Record<string, string> = isFixed ? { 'cache-control': 'private,max-age=31557600', etag: `"${tag}"` } : {};
    return jsonBody(ctx, row, chunks, { headers: { ...named, ...fixed } });
  }
  const { date_format, time_format } = await getSettings(ctx);
  // A file also shows dates as the organisation writes them, which may be changed any time.
  const etag = `"${tag}-${encodeURIComponent(`${date_format} ${time_format}`)}"`;
  const headers = { ...named, ...(isFixed ? { 'cache-control': `private,max-age=${fileMaxAge}`, etag } : {}) };
  const typed = { 'content-type': contentTypes[type], vary: 'Accept-Encoding', ...headers };
  if (type === 'xlsx') return new Streamed(typed, xlsx(chunks, row.columns, { date_format, time_format }));
  const body = csv(chunks, row.columns, { date_format, time_format, delimiter: type === 'tsv' ? '\t' : ',', raw: isRaw });
  // A small file is not worth it, and its length is not known before.
  const isGzip = takesGzip.test(ctx.request.acceptEncoding) && row.byte_count > smallFileBytes;
  return isGzip ? new Streamed({ ...typed, 'content-encoding': 'gzip' }, gzipped(body)) : new Streamed(typed, body);
}

/** A result belongs to whoever may view its source. */
export async function getResult(ctx: ReaderCtx, id: number): Promise<ResultRow> {
  const row = await findResult(ctx.db, id);
  if (!row) throw notFound('Result');
  const source = await getSourceRow(ctx, row.data_source_id);
  if (accessTo(source, ctx.identity) === 'none') throw forbidden();
  // W10: what was joined from results is read only by those who may read each of them.
  if (!(await mayReadJoined(ctx, row))) throw forbidden();
  return row;
}

const noResult = () => new AppError(404, 'not_found', 'No cached result found for this query.');

/** Somebody with a key reads what the query shows, what their own runs led to and what answers the same question, not whatever has the number. */
async function mayGuestRead(ctx: ReaderCtx, query: QueryRow, row: ResultRow, asked: Record<string, unknown>): Promise<boolean> {
  const isShown = row.id === query.latest_query_data_id && (await mayAskWith(ctx, query, savedValues(query.options)));
  return isShown || (await isOutcomeOf(ctx.db, memberOf(ctx.identity), row.id)) || isAnswerTo(ctx, query, row, asked);
}

export async function getResultOfQuery(
  ctx: ReaderCtx,
  queryId: number,
  resultId: number | undefined,
  asked: Record<string, unknown> = {},
): Promise<{ row: ResultRow; query: QueryRow }> {
  await requireGuestPatience(ctx);
  const query = await getQuery(ctx, queryId);
  const id = resultId ?? query.latest_query_data_id;
  if (id === null) throw noResult();
  const row = ctx.identity.kind === 'user' ? await getResult(ctx, id) : await findResult(ctx.db, id);
  if (!row || (ctx.identity.kind !== 'user' && !(await mayGuestRead(ctx, query, row, asked)))) throw noResult();
  if (!(await mayReadJoined(ctx, row, query))) throw forbidden();
  return { row, query };
}
