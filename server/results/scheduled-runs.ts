import { type Identity, nobody } from '@telltale/domain/access/identity.ts';
import { databaseOf } from '@telltale/domain/queries/query-database.ts';
import { type DataSourceRow, getSourceRow, mustOnlyRead } from '../data-sources/data-sources.ts';
import { scheduleMember } from '../jobs/jobs.ts';
import type { Ctx } from '../platform/context.ts';
import { findAskers, namedResultsFault, resultsType } from '../queries/joined-results.ts';
import type { QueryRow } from '../queries/queries.ts';
import { accessFingerprint, databaseFor, finalText, runHash, savedValues } from '../queries/query-text.ts';
import { claimDue, noteFailure, noteScan, noteStart, responsibleFor, settleLostRuns } from '../queries/runs.ts';
import { type RunWish, runKey, runScheduledQuery } from './run-job.ts';

/** More than this wait for the next look, so that one look never takes long. */
const mostPerScan = 500;

/**
 * server-behaviour 13.2: queues every query that is due, each in a transaction of its own that also moves its next run. Any
 * number of these may run at the same time: a query is claimed by one of them, once.
 */
export async function refreshDueQueries(ctx: Ctx, now = new Date()): Promise<number[]> {
  const startedAt = new Date();
  await settleLostRuns(ctx, now);
  const started: number[] = [];
  for (let count = 0; count < mostPerScan; count++) {
    const id = await startNext(ctx, now);
    if (id === undefined) break;
    if (id !== null) started.push(id);
  }
  await noteScan(ctx, startedAt, started);
  return started;
}

/** The id of the query that was queued, null when it could not be, undefined when nothing is due. */
async function startNext(ctx: Ctx, now: Date): Promise<number | null | undefined> {
  let claimed: number | undefined;
  try {
    return await ctx.transaction(async (tx) => {
      const query = await claimDue(tx, now);
      if (!query) return undefined;
      claimed = query.id;
      return (await start(tx, query, now)) ? query.id : null;
    });
  } catch (error) {
    if (claimed === undefined) throw error;
    // One query that cannot be prepared does not keep the others waiting.
    ctx.log.error({ err: error, query: claimed }, 'a scheduled query could not be started');
    const query_id = claimed;
    await ctx.transaction((tx) => noteFailure(tx, { query_id, job_id: null, message: 'This query could not be started.' }, now));
    return null;
  }
}

/** With the values it was saved with. False when those do not make a text that can run. */
async function start(tx: Ctx, query: QueryRow, now: Date): Promise<boolean> {
  const source = await getSourceRow(tx, query.data_source_id ?? 0);
  const text = await scheduledText(tx, query, source);
  if ('error' in text) {
    await noteFailure(tx, { query_id: query.id, job_id: null, message: text.error }, now);
    return false;
  }
  const database = databaseFor(source.type, databaseOf(query.options));
  const query_hash = runHash(source, text.sql, database, text.fingerprint);
  const { id: query_id, text_version, user_id, org_id } = query;
  const run = {
    data_source_id: source.id,
    query: text.sql,
    query_hash,
    database,
    query_id,
    links: true,
    text_version,
    user_id,
    in_name_of: text.in_name_of,
    only_reads: text.only_reads,
    scheduled: true,
  };
  const jobId = await tx.enqueue(runScheduledQuery, run, {
    user_id,
    member: scheduleMember(query_id),
    wish: { query_id, text_version, scheduled: true } satisfies RunWish,
    dedupeKey: runKey(run),
    meta: { data_source_id: source.id, org_id, scheduled: true, query_id, user_id },
  });
  await noteStart(tx, query, jobId, now);
  return true;
}

type ScheduledText = { sql: string; fingerprint: string; in_name_of: number[]; only_reads: boolean } | { error: string };

async function scheduledText(tx: Ctx, query: QueryRow, source: DataSourceRow): Promise<ScheduledText> {
  const text = await finalText(tx, {
    query: query.query,
    options: query.options,
    values: savedValues(query.options),
    type: source.type,
    applyAutoLimit: query.options.apply_auto_limit ?? false,
    undeclared: 'refuse',
    dropdowns: 'unchecked',
  });
  if ('error' in text) return text;
  if (text.sql.trim() === '') return { error: "Can't execute empty query." };
  if (source.type === resultsType) return joinedResults(tx, query, text.sql);
  return { ...text, fingerprint: '', in_name_of: [], only_reads: mustOnlyRead(tx, source, await peopleBehind(tx, query)) };
}

/** W17: what a schedule writes is written in the name of those who are responsible for it. Nobody writes for whoever has no account any more. */
async function peopleBehind(tx: Ctx, query: QueryRow): Promise<Identity[]> {
  const people = await findAskers(tx, await responsibleFor(tx, query));
  return people.length > 0 ? people : [nobody];
}

/** W10: whoever is responsible for it may read every result it joins, now, as if they ran it themselves. */
async function joinedResults(tx: Ctx, query: QueryRow, sql: string): Promise<ScheduledText> {
  const in_name_of = await responsibleFor(tx, query);
  const people = await findAskers(tx, in_name_of);
  if (people.length === 0)
    return { error: 'Whoever wrote this query has no account any more, so nobody answers for what it joins. Save its text anew to do so.' };
  for (const identity of people) {
    const fault = await namedResultsFault({ ...tx, identity }, sql);
    if (fault) return { error: fault };
  }
  return { sql, fingerprint: accessFingerprint(people), in_name_of, only_reads: false };
}
