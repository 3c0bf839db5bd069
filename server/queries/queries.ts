import { isDeepStrictEqual } from 'node:util';
import type { NewQuery, Query, QueryChanges } from '@telltale/domain/queries/contract.ts';
import type { DeviceSelection } from '@telltale/domain/queries/device-query.ts';
import { type VersionedField, versionedFields } from '@telltale/domain/queries/versions.ts';
import { requireFresh } from '../access/edit-conflict.ts';
import { recordEvent } from '../events/events.ts';
import type { ReaderCtx, UserCtx } from '../platform/context.ts';
import { invalid } from '../platform/errors.ts';
import { emit } from '../platform/signals.ts';
import { may } from '../policy/policy.ts';
import { requireDropdowns } from './dropdown-access.ts';
import { hasReadableLatest } from './joined-results.ts';
import {
  copyVisualizations,
  findResultOf,
  findRetrievedAt,
  insertQuery,
  insertVisualization,
  type QueryFields,
  type QueryRow,
  updateQuery,
} from './queries.store.ts';
import { getQuery, getQueryToChange, requireEdit, requireFullAccess, requireOwner } from './query-access.ts';
import { queryAnswer, sharedAnswer } from './query-answers.ts';
import { newQueryKey } from './query-keys.ts';
import { queryArchived } from './query-signals.ts';
import { requireFewPlaceholders, savedHash } from './query-text.ts';
import { unfinishedRun } from './runs.ts';
import { checkedSchedule, nextRunAt } from './schedule-changes.ts';
import { keepVersion } from './versions.store.ts';

export type { QueryRow } from './queries.store.ts';
export { findQueryRow, getQuery } from './query-access.ts';

/** A reader by key never receives the text, other keys or e-mail addresses (design 8). */
export async function readQuery(ctx: ReaderCtx, id: number) {
  if (!may(ctx.identity, 'read_text', 'query')) return { ...(await sharedAnswer(ctx, await getQuery(ctx, id))), can_edit: false };
  const asUser = ctx as UserCtx;
  // The run is read before the query: a run that has ended by then has left its result there.
  const running = await unfinishedRun(asUser, id);
  const row = await getQuery(ctx, id);
  // design 8.1: a user with fewer channels than the result was read from has to run the query themselves.
  const isShown = may(asUser.user, 'reach_all', 'channel') || row.latest_query_data_id === null || (await hasReadableLatest(ctx, row));
  const answer = await queryAnswer(asUser, isShown ? row : { ...row, latest_query_data_id: null });
  return { ...answer, can_edit: may(asUser.user, 'edit', 'query', row), ...(running ? { running } : {}) };
}

interface MadeFromDevices {
  device_query: DeviceSelection;
  /** Options of its chart, where there is something to draw. */
  chart: Record<string, unknown> | undefined;
}

export const createQuery = (ctx: UserCtx, given: NewQuery, made: MadeFromDevices | null = null): Promise<Query> =>
  ctx.transaction(async (tx) => {
    await requireFullAccess(tx, given.data_source_id);
    const options = given.options ?? { parameters: [] };
    await requireDropdowns(tx, options);
    const id = await addQuery(tx, {
      name: given.name,
      description: given.description ?? null,
      query: given.query,
      data_source_id: given.data_source_id,
      schedule: checkedSchedule(tx, given.schedule ?? null, null),
      options,
      tags: given.tags ?? [],
      device_query: made?.device_query ?? null,
    });
    await insertVisualization(tx.db, id, 'TABLE', 'Table');
    if (made?.chart) await insertVisualization(tx.db, id, 'CHART', 'Chart', made.chart);
    await recordEvent(tx, 'create', 'query', id);
    return queryAnswer(tx, await getQuery(tx, id));
  });

type Draft = Omit<QueryFields, 'is_draft' | 'query_hash'> & Pick<QueryRow, 'device_query'>;

/** server-behaviour 7.10: adds a draft of the caller's; an existing result of the text becomes its latest. */
async function addQuery(tx: UserCtx, draft: Draft, copiedResult: number | null = null): Promise<number> {
  requireFewPlaceholders(draft.query);
  const query_hash = await savedHash(tx, draft);
  const latest = await findResultOf(tx.db, { ...draft, query_hash });
  const id = await insertQuery(tx.db, {
    ...draft,
    ...newQueryKey(tx),
    query_hash,
    is_draft: true,
    org_id: tx.user.org_id,
    user_id: tx.user.id,
    latest_query_data_id: copiedResult ?? latest?.id ?? null,
    next_run_at: nextRunAt({ ...draft, is_archived: false, schedule_failures: 0 }, latest ? new Date(latest.retrieved_at) : null, tx.now),
  });
  await keepVersion(tx.db, id, tx.user.id, changedFields(blank, { ...blank, ...draft }));
  return id;
}

/** Q6 and server-behaviour 7.14: the copy is checked as if it were newly written (security 21). */
export const forkQuery = (ctx: UserCtx, id: number): Promise<Query> =>
  ctx.transaction(async (tx) => {
    const original = await getQuery(tx, id);
    if (original.data_source_id === null) throw invalid('This query has no data source any more.');
    await requireFullAccess(tx, original.data_source_id);
    await requireDropdowns(tx, original.options);
    const { description, query, data_source_id, options, tags, device_query } = original;
    const name = `Copy of (#${id}) ${original.name}`.slice(0, 255);
    const copy = { name, description, query, data_source_id, options, tags, device_query, schedule: null };
    const copyId = await addQuery(tx, copy, (await hasReadableLatest(tx, original)) ? original.latest_query_data_id : null);
    await copyVisualizations(tx.db, id, copyId);
    await recordEvent(tx, 'fork', 'query', id, { copy: copyId });
    return queryAnswer(tx, await getQuery(tx, copyId));
  });

/** Changes only the sent keys; without a version the caller means to overwrite (Q8). */
export const saveQuery = (ctx: UserCtx, id: number, changes: QueryChanges & { device_query?: DeviceSelection }): Promise<Query> =>
  ctx.transaction(async (tx) => {
    const before = await getQueryToChange(tx, id);
    requireEdit(tx, before);
    const { version, data_source_id, is_archived = before.is_archived, ...fields } = changes;
    requireFresh(tx, before, version ?? undefined, 'The query has been modified by another user.');
    if (is_archived !== before.is_archived) requireOwner(tx, before, 'archive');
    if (is_archived && before.is_draft && fields.is_draft === false)
      throw invalid('An archived query cannot be published. Restore it first.');
    const schedule = checkedSchedule(tx, fields.schedule === undefined ? before.schedule : fields.schedule, before.schedule);
    const next = await checkedChange(tx, before, {
      ...before,
      ...fields,
      data_source_id: data_source_id ?? before.data_source_id,
      schedule,
    });
    if (is_archived && !before.is_archived) await archiveRow(tx, before, next);
    else await storeChange(tx, before, { ...next, is_archived });
    await recordEvent(tx, before.is_archived === is_archived ? 'edit' : is_archived ? 'archive' : 'unarchive', 'query', id);
    return queryAnswer(tx, await getQuery(tx, id));
  });

/** Q4: archives a query: out of lists, schedules, alerts and dashboards, but still open at its address. Call with the row locked. */
export async function archiveRow(tx: UserCtx, before: QueryRow, next: QueryRow): Promise<void> {
  await storeChange(tx, before, { ...next, is_archived: true, schedule: null, next_run_at: null, schedule_failures: 0 });
  await emit(tx, queryArchived, { query_id: before.id });
}

/** Stores the change and a version; call with the row locked. */
export async function storeChange(tx: UserCtx, before: QueryRow, next: QueryRow): Promise<void> {
  await updateQuery(tx.db, before.id, next, tx.user.id);
  await keepVersion(tx.db, before.id, tx.user.id, changedFields(before, next));
}

/** security 21: the whole query is checked after the merge, not only the sent part. */
async function checkedChange(tx: UserCtx, before: QueryRow, next: QueryRow): Promise<QueryRow> {
  const changed = changedFields(before, next);
  const runsDifferently = changed.some((field) => ['query', 'options', 'data_source_id', 'schedule'].includes(field));
  if (!runsDifferently) return next;
  if (next.data_source_id !== null) await requireFullAccess(tx, next.data_source_id);
  await requireDropdowns(tx, next.options, before.options);
  requireFewPlaceholders(next.query);
  const query_hash = await savedHash(tx, next);
  const isOther = query_hash !== (await savedHash(tx, before)) || changed.includes('data_source_id');
  // W30: the result of another text does not belong to this query, so it is not shown.
  const latest_query_data_id = isOther ? ((await findResultOf(tx.db, { ...next, query_hash }))?.id ?? null) : before.latest_query_data_id;
  const result = { ...next, query_hash, latest_query_data_id, text_version: isOther ? before.version + 1 : before.text_version };
  return isOther || changed.includes('schedule') ? rescheduled(tx, result) : result;
}

/** The next run is computed from the last slot or result; a query that never ran is due at once, and a failed one gets another chance. */
async function rescheduled(tx: UserCtx, query: QueryRow): Promise<QueryRow> {
  const retrievedAt = query.latest_query_data_id === null ? undefined : await findRetrievedAt(tx.db, query.latest_query_data_id);
  const last =
    retrievedAt === undefined ? null : new Date(Math.max(Date.parse(retrievedAt), Date.parse(query.last_slot_at ?? retrievedAt)));
  const fresh = { ...query, schedule_failures: 0 };
  return { ...fresh, next_run_at: nextRunAt(fresh, last, tx.now) };
}

type Versioned = Pick<QueryRow, VersionedField>;
const blank: Versioned = {
  name: '',
  description: null,
  query: '',
  data_source_id: null,
  schedule: null,
  options: { parameters: [] },
  tags: [],
  is_draft: true,
  is_archived: false,
};

const changedFields = (before: Versioned, next: Versioned): VersionedField[] =>
  versionedFields.filter((field) => !isDeepStrictEqual(before[field], next[field]));
