import type { Replay, ReplayRequest } from '@telltale/domain/alerts/contract.ts';
import type { AlertState, DeviceAlertOptions, QueryAlertOptions, SilenceAlertOptions } from '@telltale/domain/alerts/options.ts';
import { rehearseDevice, rehearseSilence } from '@telltale/domain/alerts/rehearse.ts';
import { Rehearsal } from '@telltale/domain/alerts/replay.ts';
import { Selection } from '@telltale/domain/alerts/selection.ts';
import { getChannelRow } from '../channels/channels.ts';
import { getSourceRow } from '../data-sources/data-sources.ts';
import { getSettings } from '../organizations/organizations.ts';
import { readLagging, type UserCtx } from '../platform/context.ts';
import { invalid } from '../platform/errors.ts';
import { channelsOfQuery, hasChannels, isOpen } from '../queries/joined-results.ts';
import type { QueryRow } from '../queries/queries.ts';
import { savedHash } from '../queries/query-text.ts';
import { findStoredResult, listStoredResults } from '../results/stored-rows.ts';
import { getWatchable, requireChannelView } from './alert-access.ts';
import { listPastReadings, listPastUplinks, listScope } from './replay.store.ts';

/** Limits of a replay, so that the page answers in time. */
const [mostResults, mostPoints, mostDevices, mostShown] = [5000, 200_000, 200, 2000];
const timeoutMs = 10_000;

interface Played {
  device_id?: string;
  rehearsal: Rehearsal;
  series: { at: number; value: unknown }[];
}

/** Simulates an alert on stored data; nothing is written or sent. */
export async function replay(ctx: UserCtx, { query_id, options, rearm, days }: ReplayRequest): Promise<Replay> {
  const since = new Date(ctx.now.getTime() - days * 86_400_000);
  const every = rearm ?? options.rearm ?? null;
  if (options.kind === 'query') {
    const { played, isPartial } = await replayQuery(ctx, query_id ?? null, options, every, since);
    return answer([played], options.value, isPartial);
  }
  requireChannelView(ctx);
  const { pk } = await getChannelRow(ctx, options.channel_id);
  const devices = await listScope(ctx.db, pk, options.device_ids, mostDevices + 1);
  const looked = devices.slice(0, mostDevices);
  const isCut = devices.length > mostDevices;
  const limit = Math.max(100, Math.floor(mostPoints / Math.max(1, looked.length)));
  const each = await (options.kind === 'device'
    ? replayDevices(ctx, pk, looked, options, every, since, limit)
    : replaySilence(ctx, looked, options, every, since, limit));
  const isPartial = isCut || each.some(({ series }) => series.length >= limit);
  return answer(each, options.kind === 'device' ? options.value : options.silent_seconds, isPartial);
}

async function replayQuery(ctx: UserCtx, queryId: number | null, options: QueryAlertOptions, rearm: number | null, since: Date) {
  if (queryId === null) throw invalid('Choose a query.');
  const query = await getWatchable(ctx, queryId);
  const { time_zone } = await getSettings(ctx);
  const { stored, isCut } = await listReadable(ctx, query, since);
  const until = Date.now() + timeoutMs;
  const seen: { at: number; state: AlertState; value: unknown }[] = [];
  // Newest results come first: when the time is up, the oldest are left out.
  for (const { id, retrieved_at } of stored.toReversed()) {
    if (Date.now() > until) break;
    const result = await findStoredResult(ctx, id);
    if (!result) continue;
    const selection = new Selection(options, time_zone);
    for await (const rows of result.rows(options.selector === 'first' ? 1 : undefined)) {
      for (const row of rows) if (!selection.isDone) selection.see(row);
      if (selection.isDone) break;
    }
    const { state, value } = selection.verdict();
    seen.push({ at: Date.parse(retrieved_at), state, value });
  }
  const rehearsal = new Rehearsal(rearm);
  const series = seen.reverse();
  for (const { at, state, value } of series) rehearsal.see(at, state, value);
  return { played: { rehearsal, series } satisfies Played, isPartial: series.length < stored.length || isCut };
}

/** W10: equal texts share their hash, and results of others may show channels and joined sources that the caller may not see. */
async function listReadable(ctx: UserCtx, query: QueryRow, since: Date) {
  if (query.data_source_id === null) return { stored: [], isCut: false };
  const of = { data_source_id: query.data_source_id, query_hash: await hashOfResults(ctx, query, query.data_source_id) };
  const all = await listStoredResults(ctx, of, since, mostResults);
  const stored: typeof all = [];
  for (const result of all) if (await isOpen(ctx, result, query)) stored.push(result);
  return { stored, isCut: all.length === mostResults };
}

/** Results that depend on channels have a hash for each set of them; the alert watches those of the people responsible for the query. */
async function hashOfResults(ctx: UserCtx, query: QueryRow, sourceId: number): Promise<string> {
  if (!hasChannels(await getSourceRow(ctx, sourceId))) return query.query_hash;
  const channel_pks = await channelsOfQuery(ctx, query);
  return channel_pks === null ? query.query_hash : savedHash(ctx, { ...query, channel_pks });
}

async function replayDevices(
  ctx: UserCtx,
  channelPk: number,
  devices: readonly { pk: number; device_id: string }[],
  options: DeviceAlertOptions,
  rearm: number | null,
  since: Date,
  limit: number,
): Promise<Played[]> {
  const { time_zone } = await getSettings(ctx);
  const played: Played[] = [];
  for (const { pk, device_id } of devices) {
    const points = await readLagging(ctx, (db) => listPastReadings(db, channelPk, pk, options.attribute, since, limit));
    const { rehearsal, series } = rehearseDevice(points, options, rearm, ctx.now.getTime(), time_zone);
    played.push({ device_id, rehearsal, series });
  }
  return played;
}

async function replaySilence(
  ctx: UserCtx,
  devices: readonly { pk: number; device_id: string }[],
  { silent_seconds }: SilenceAlertOptions,
  rearm: number | null,
  since: Date,
  limit: number,
): Promise<Played[]> {
  const played: Played[] = [];
  for (const { pk, device_id } of devices) {
    const times = await readLagging(ctx, (db) => listPastUplinks(db, pk, since, limit));
    played.push({ device_id, ...rehearseSilence(times, silent_seconds, rearm, ctx.now.getTime()) });
  }
  return played;
}

const iso = (at: number) => new Date(at).toISOString();

function answer(played: readonly Played[], threshold: Replay['threshold'], is_partial: boolean): Replay {
  const named = (device_id: string | undefined) => (device_id === undefined ? {} : { device_id });
  const moments = (pick: (each: Played) => readonly { at: number; value: unknown }[]) =>
    played
      .flatMap((each) => pick(each).map(({ at, value }) => ({ at, value: value ?? null, ...named(each.device_id) })))
      .sort((a, b) => a.at - b.at);
  const triggered = moments(({ rehearsal }) => rehearsal.triggered);
  const series = moments((each) => each.series);
  const stride = Math.ceil(series.length / mostShown) || 1;
  const sum = (pick: (rehearsal: Rehearsal) => number) => played.reduce((all, { rehearsal }) => all + pick(rehearsal), 0);
  return {
    evaluations: sum(({ evaluations }) => evaluations),
    triggered: triggered.map((each) => ({ ...each, at: iso(each.at) })),
    notifications: sum(({ notifications }) => notifications),
    series: series.filter((_, place) => place % stride === 0).map((each) => ({ ...each, at: iso(each.at) })),
    threshold,
    is_partial,
  };
}
