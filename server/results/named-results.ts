import type { Person } from '@telltale/domain/access/identity.ts';
import { databaseOf } from '@telltale/domain/queries/query-database.ts';
import { findQueryNames, type NamedResult } from '@telltale/domain/queries/query-names.ts';
import type { ResultReader } from '../connectors/connector.ts';
import { findConnector } from '../connectors/index.ts';
import type { Ctx } from '../platform/context.ts';
import { JobError } from '../platform/jobs/define.ts';
import { findAskers, resolveNamed } from '../queries/joined-results.ts';
import { databaseFingerprint, databaseFor, queryHash } from '../queries/query-text.ts';
import { readChunks } from './chunk-reader.ts';
import { findResult } from './results.store.ts';
import type { RunQuery } from './run-job.ts';

/** Which queries a run is joined into. */
type RunNamed = (query: RunQuery, above: readonly number[]) => Promise<number>;

interface Prepared {
  results: ResultReader;
  /** Where all their rows came from. */
  joined_source_ids: number[];
}

/**
 * Every result that a text names, run or looked up before the text itself runs, so that no run waits inside another. Who asked
 * may read each of them now, whatever was found when they asked (W10).
 */
export async function prepareNamedResults(ctx: Ctx, outer: RunQuery, above: readonly number[], run: RunNamed): Promise<Prepared> {
  const askers = await findAskers(ctx, outer.in_name_of);
  const ids = new Map<string, number>();
  const sources = new Set<number>();
  for (const named of findQueryNames(outer.query).results) {
    const { result_id, joined_source_ids } = await resultOf(ctx, outer, askers, named, above, run);
    ids.set(named.name, result_id);
    for (const id of joined_source_ids) sources.add(id);
  }
  const results: ResultReader = async (name) => {
    const row = await findResult(ctx.db, ids.get(name) ?? 0);
    if (!row) throw new Error(`There is no result named ${name}.`);
    return { columns: row.columns, chunks: readChunks(ctx.db, row) };
  };
  return { results, joined_source_ids: [...sources] };
}

async function resultOf(
  ctx: Ctx,
  { in_name_of }: RunQuery,
  askers: readonly Person[],
  named: NamedResult,
  above: readonly number[],
  run: RunNamed,
): Promise<{ result_id: number; joined_source_ids: number[] }> {
  const joined = await resolveNamed(ctx, askers, named, above);
  if ('refusal' in joined) throw new JobError(joined.refusal);
  if ('problem' in joined) throw new JobError(joined.problem);
  const { query, source } = joined;
  if ('stored' in joined) return { result_id: joined.stored.id, joined_source_ids: [source.id, ...joined.stored.joined_source_ids] };
  const dialect = findConnector(source.type)?.dialect ?? 'generic';
  const database = databaseFor(source.type, databaseOf(query.options));
  const query_hash = queryHash(joined.text, dialect, `named result ${query.id}${databaseFingerprint(database)}`);
  const result_id = await run(
    { data_source_id: source.id, query: joined.text, query_hash, database, query_id: query.id, links: false, user_id: null, in_name_of },
    [...above, query.id],
  );
  const stored = await findResult(ctx.db, result_id);
  return { result_id, joined_source_ids: [source.id, ...(stored?.joined_source_ids ?? [])] };
}
