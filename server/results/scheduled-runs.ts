import { databaseOf } from '@telltale/domain/queries/query-database.ts';
import { type DataSourceRow, getSourceRow, isReadOnlyFor } from '../data-sources/data-sources.ts';
import { scheduleMember } from '../jobs/jobs.ts';
import type { Ctx } from '../platform/context.ts';
import { may } from '../policy/policy.ts';
import { scheduleOf } from '../policy/principals.ts';
import { channelsOfQuery, hasChannels, namedResultsFault, resultsType } from '../queries/joined-results.ts';
import type { QueryRow } from '../queries/queries.ts';
import { accessFingerprint, databaseFor, finalText, runHash, runZone, savedValues } from '../queries/query-text.ts';
import { claimDue, noteFailure, noteScan, noteStart, responsibleFor, settleLostRuns } from '../queries/runs.ts';
import { findPeople } from '../session/people.ts';
import { type RunRequest, runKey, runScheduledQuery } from './run-job.ts';

/** Further queries wait for the next scan, so that one scan never takes long. */
const mostPerScan = 500;

/**
 * server-behaviour 13.2: queues every query that is due, each in a transaction of its own that also sets its next run. Any number of scans
 * may run at the same time: each query is claimed by one of them, once.
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

/** Returns the id of the queued query, null when it could not be queued, undefined when nothing is due. */
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
    // A query that cannot be prepared does not keep the others waiting.
    ctx.log.error({ err: error, query: claimed }, 'a scheduled query could not be started');
    const query_id = claimed;
    await ctx.transaction((tx) => noteFailure(tx, { query_id, job_id: null, message: 'This query could not be started.' }, now));
    return null;
  }
}

/** Starts a run with the saved values. False when they make no text that can run. */
async function start(tx: Ctx, query: QueryRow, now: Date): Promise<boolean> {
  const source = await getSourceRow(tx, query.data_source_id ?? 0);
  const time_zone = await runZone(tx, null);
  const text = await scheduledText(tx, query, source, time_zone);
  if ('error' in text) {
    await noteFailure(tx, { query_id: query.id, job_id: null, message: text.error }, now);
    return false;
  }
  const database = databaseFor(source.type, databaseOf(query.options));
  const channel_pks = hasChannels(source) ? await channelsOfQuery(tx, query) : null;
  const query_hash = runHash(tx, source, { text: text.sql, database, zone: time_zone, access: text.fingerprint, channel_pks });
  const { id: query_id, text_version, user_id, org_id } = query;
  const [owner] = await findPeople(tx, [user_id]);
  const run = {
    data_source_id: source.id,
    query: text.sql,
    query_hash,
    database,
    time_zone,
    query_id,
    links: true,
    text_version,
    user_id,
    username: owner?.email ?? null,
    is_of_query: true,
    in_name_of: text.in_name_of,
    channel_pks,
    only_reads: text.only_reads,
    scheduled: true,
  };
  const jobId = await tx.enqueue(runScheduledQuery, run, {
    user_id,
    member: scheduleMember(query_id),
    request: { query_id, text_version, scheduled: true } satisfies RunRequest,
    dedupeKey: runKey(run),
    meta: { data_source_id: source.id, org_id, scheduled: true, query_id, user_id },
  });
  await noteStart(tx, query, jobId, now);
  return true;
}

type ScheduledText = { sql: string; fingerprint: string; in_name_of: number[]; only_reads: boolean } | { error: string };

async function scheduledText(tx: Ctx, query: QueryRow, source: DataSourceRow, timeZone: string): Promise<ScheduledText> {
  const text = await finalText(tx, {
    query: query.query,
    options: query.options,
    values: savedValues(query.options),
    type: source.type,
    timeZone,
    applyAutoLimit: query.options.apply_auto_limit ?? false,
    undeclared: 'refuse',
    dropdowns: 'unchecked',
  });
  if ('error' in text) return text;
  if (text.sql.trim() === '') return { error: "Can't execute empty query." };
  if (source.type === resultsType) return joinedResults(tx, query, text.sql);
  // W17: a schedule writes in the name of the users responsible for it; without an account it does not write.
  const people = await findPeople(tx, await responsibleFor(tx, query));
  const schedule = scheduleOf(query.id, people);
  // The schedule of a user without an account goes on for the users who see its results.
  if (people.length > 0 && !may(schedule, 'view', 'query', query)) return { error: lostSource };
  return { ...text, fingerprint: '', in_name_of: [], only_reads: isReadOnlyFor(tx, source, schedule) };
}

const lostSource = 'A person who is responsible for this query may not see its data source any more. Save its text anew to take it over.';

/** W10: the users responsible for the query must be allowed to read every result it joins, as if they ran it now. */
async function joinedResults(tx: Ctx, query: QueryRow, sql: string): Promise<ScheduledText> {
  const in_name_of = await responsibleFor(tx, query);
  const people = await findPeople(tx, in_name_of);
  if (people.length === 0)
    return { error: 'Whoever wrote this query has no account any more, so nobody answers for what it joins. Save its text anew to do so.' };
  for (const person of people) {
    const fault = await namedResultsFault(tx, [person], sql);
    if (fault) return { error: fault };
  }
  return { sql, fingerprint: accessFingerprint(people), in_name_of, only_reads: false };
}
