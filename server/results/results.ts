import type { Job } from '@telltale/domain/jobs/contract.ts';
import { recordEvent } from '../events/events.ts';
import { getSettings } from '../organizations/organizations.ts';
import type { Ctx, ReaderCtx } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { Streamed } from '../platform/http/http.ts';
import { may } from '../policy/policy.ts';
import type { QueryRow } from '../queries/queries.ts';
import type { Chunk } from '../wire/chunk.ts';
import { envelope, type ResultHead } from '../wire/envelope.ts';
import { gzipFrame, gzipped, plainFrame } from '../wire/gzip-frame.ts';
import { readChunks } from './chunk-reader.ts';
import { csv } from './export/csv.ts';
import { contentDisposition, contentTypes, type FileType } from './export/file-name.ts';
import { xlsx } from './export/xlsx.ts';
import { requireObjects } from './object-reader.ts';
import { noteUse, type ResultRow } from './results.store.ts';
import type { RunAnswer } from './submission.ts';

/** A reader by key never receives SQL text (design 8). */
function headOf(ctx: Ctx, row: ResultRow): ResultHead {
  const text = may(ctx.identity, 'read_text', 'query')
    ? { query: row.query, query_hash: row.query_hash, data_source_id: row.data_source_id }
    : {};
  const log = row.log ? { log: row.log } : {};
  const metadata = row.data_scanned === null ? {} : { metadata: { data_scanned: row.data_scanned } };
  return { id: row.id, ...text, runtime: row.runtime, retrieved_at: row.retrieved_at, data: { columns: row.columns, ...log, ...metadata } };
}

/** gzip is named, and not with the weight 0, which refuses it. */
const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/** W34: the stored bytes are sent as they are; nothing is parsed or compressed again. */
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

/** A cache hit answers with the result alone; a finished run also names its job (design 4). */
export async function runReply(ctx: Ctx, answer: RunAnswer): Promise<{ job: Job } | Streamed> {
  if (!answer.result) return { job: answer.job };
  await requireObjects(ctx.objects, answer.result);
  return jsonBody(ctx, answer.result, answer.chunks, { beside: answer.job ? { job: answer.job } : {} });
}

const smallFileBytes = 64 * 1024;
const forEver = 'private,max-age=31557600';
const fileMaxAge = 60;
const fileTypes: readonly string[] = ['json', 'csv', 'tsv', 'xlsx'] satisfies FileType[];
const isFileType = (text: string): text is FileType => fileTypes.includes(text);

/** `17`, `17.csv` … */
export function readFileName(file: string): { id: number; type: FileType | undefined } {
  const [, id = '', type] = /^(\d{1,9})(?:\.(\w+))?$/.exec(file) ?? [];
  if (!id || (type !== undefined && !isFileType(type))) throw notFound('Result');
  return { id: Number(id), type: type as FileType | undefined };
}

/** server-behaviour 11.2: a read by an anonymous key holder is at least counted. */
async function recordKeyRead(ctx: ReaderCtx, row: ResultRow, query: QueryRow | undefined, type: FileType | undefined): Promise<void> {
  if (ctx.identity.kind === 'user') return;
  const by = { api_key: ctx.identity.name, file_type: type ?? 'json' };
  await recordEvent(ctx, 'api_get', query ? 'query' : 'query_result', query?.id ?? row.id, by);
}

/** design 8: a program that reads by key gets exact values, a user a file without formulas. */
const isByKey = ({ identity }: ReaderCtx): boolean => identity.kind !== 'user' || identity.via === 'key';

export async function sendResult(
  ctx: ReaderCtx,
  row: ResultRow,
  type: FileType | undefined,
  options: { query?: QueryRow | undefined; raw: boolean | undefined; isFixed: boolean },
): Promise<Streamed> {
  const { query, isFixed } = options;
  const raw = options.raw ?? isByKey(ctx);
  // Keys get exact values by default, ISO dates only on request: upstream's clients expect the organisation's format.
  const isoDates = options.raw === true;
  await Promise.all([noteUse(ctx.db, row), recordKeyRead(ctx, row, query, type)]);
  const download = { result_id: row.id, retrieved_at: row.retrieved_at, ...(query ? { query: { id: query.id, name: query.name } } : {}) };
  // server-behaviour 11.2: an address without an extension is JSON, and has its file name, too.
  const named = { 'content-disposition': contentDisposition(download, type ?? 'json') };
  const tag = `result-${row.id}-${ctx.identity.kind}`;
  await requireObjects(ctx.objects, row);
  const chunks = readChunks(ctx, row);
  if (type === undefined || type === 'json') {
    const fixed: Record<string, string> = isFixed ? { 'cache-control': forEver, etag: `"${tag}"` } : {};
    return jsonBody(ctx, row, chunks, { headers: { ...named, ...fixed } });
  }
  const { date_format, time_format } = await getSettings(ctx);
  // The tag includes the organisation's date formats, which may change any time.
  const etag = `"${tag}-${isoDates ? 'raw' : raw ? 'exact' : 'safe'}-${encodeURIComponent(`${date_format} ${time_format}`)}"`;
  // With raw=1 dates are written the same for ever; otherwise the organisation's formats may change.
  const headers = { ...named, ...(isFixed ? { 'cache-control': isoDates ? forEver : `private,max-age=${fileMaxAge}`, etag } : {}) };
  const typed = { 'content-type': contentTypes[type], vary: 'Accept-Encoding', ...headers };
  if (type === 'xlsx') return new Streamed(typed, xlsx(chunks, row.columns, { date_format, time_format }));
  const body = csv(chunks, row.columns, { date_format, time_format, delimiter: type === 'tsv' ? '\t' : ',', raw, isoDates });
  // A small file is not worth compressing, and the file's length is not known before.
  const isGzip = takesGzip.test(ctx.request.acceptEncoding) && row.byte_count > smallFileBytes;
  return isGzip ? new Streamed({ ...typed, 'content-encoding': 'gzip' }, gzipped(body)) : new Streamed(typed, body);
}
