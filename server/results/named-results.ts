import { databaseOf } from '@telltale/domain/queries/query-database.ts';
import { findQueryNames, type NamedResult } from '@telltale/domain/queries/query-names.ts';
import type { ResultReader } from '../connectors/connector.ts';
import { findConnector } from '../connectors/index.ts';
import { pausedMessage } from '../data-sources/data-sources.ts';
import { ExecutorError } from '../executor/pool.ts';
import type { Ctx } from '../platform/context.ts';
import { JobError } from '../platform/jobs/define.ts';
import { type JoinedInto, resolveNamed } from '../queries/joined-results.ts';
import { databaseFingerprint, databaseFor, queryHash } from '../queries/query-text.ts';
import { findPeople } from '../session/people.ts';
import { readChunks } from './chunk-reader.ts';
import { findResult, type ResultRow } from './results.store.ts';
import type { RunQuery } from './run-job.ts';

type Kept = Pick<ResultRow, 'id' | 'row_count' | 'columns' | 'joined_source_ids'>;
interface Found extends Kept {
  /** Deletes a result that was run for this text alone. */
  forget?(): Promise<void>;
}

type RunNamed = (query: RunQuery, into: JoinedInto) => Promise<Found>;

interface Prepared {
  results: ResultReader;
  /** The sources of all rows. */
  joined_source_ids: number[];
  forget(): Promise<void>;
}

/**
 * Runs or looks up every result that a text names before the text itself runs, so that no run waits inside another. The callers must be
 * allowed to read each of them now, whatever was found when the run was queued (W10).
 */
export async function prepareNamedResults(ctx: Ctx, outer: RunQuery, joinedInto: JoinedInto | undefined, run: RunNamed): Promise<Prepared> {
  const into = joinedInto ?? { readers: await findPeople(ctx, outer.in_name_of), writers: [], above: [] };
  const found = new Map<string, Found>();
  const forget = async () => {
    for (const result of found.values()) await result.forget?.();
  };
  try {
    for (const named of findQueryNames(outer.query).results) found.set(named.name, await resultOf(ctx, outer, into, named, run));
  } catch (error) {
    await forget();
    throw error;
  }
  const results: ResultReader = async (name) => {
    const result = found.get(name);
    if (!result) throw new Error(`There is no result named ${name}.`);
    return { columns: result.columns, chunks: readChunks(ctx, result) };
  };
  return { results, joined_source_ids: [...new Set([...found.values()].flatMap((result) => result.joined_source_ids))], forget };
}

async function resultOf(
  ctx: Ctx,
  { in_name_of, channel_pks, username }: RunQuery,
  into: JoinedInto,
  named: NamedResult,
  run: RunNamed,
): Promise<Found> {
  const joined = await resolveNamed(ctx, into, named);
  if ('refusal' in joined) throw new JobError(joined.refusal);
  if ('problem' in joined) throw new JobError(joined.problem);
  const { query, source } = joined;
  if ('stored' in joined) {
    const row = await findResult(ctx.db, joined.stored.id);
    if (!row) throw new JobError(`Query ${query.id} has a newer result by now. Please try again.`);
    return { ...row, joined_source_ids: [source.id, ...row.joined_source_ids] };
  }
  if (source.paused_at) throw new JobError(pausedMessage(source));
  const dialect = findConnector(source.type)?.dialect ?? 'generic';
  const database = databaseFor(source.type, databaseOf(query.options));
  const query_hash = queryHash(joined.text, dialect, `named result ${query.id}${databaseFingerprint(database)}`);
  const inner = {
    data_source_id: source.id,
    query: joined.text,
    query_hash,
    database,
    time_zone: null,
    query_id: query.id,
    links: false,
    user_id: null,
    username,
    is_of_query: false,
  };
  // W17: joined results are only read, never written.
  const result = await run({ ...inner, in_name_of, channel_pks, only_reads: true }, joined.below).catch((error: unknown) => {
    // A position in the inner text means nothing in the caller's text.
    throw error instanceof ExecutorError ? new JobError(`Query ${query.id}: ${error.failure.message}`) : error;
  });
  return { ...result, joined_source_ids: [source.id, ...result.joined_source_ids] };
}
