import { isDeepStrictEqual } from 'node:util';
import type { NewQuery, Query, QueryChanges } from '@telltale/domain/queries/contract.ts';
import type { DeviceSelection } from '@telltale/domain/queries/device-query.ts';
import { type VersionedField, versionedFields } from '@telltale/domain/queries/versions.ts';
import { recordEvent } from '../events/events.ts';
import type { ReaderCtx, UserCtx } from '../platform/context.ts';
import { conflict, invalid } from '../platform/errors.ts';
import { randomKey } from '../platform/secrets.ts';
import { requireDropdowns } from './dropdown-access.ts';
import { mayReadLatest } from './joined-results.ts';
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
import { canEdit, getQuery, getQueryToChange, requireEdit, requireFullAccess } from './query-access.ts';
import { queryAnswer, sharedAnswer } from './query-answers.ts';
import { savedHash } from './query-text.ts';
import { unfinishedRun } from './runs.ts';
import { checkedSchedule, nextRunAt } from './schedule-changes.ts';
import { keepVersion } from './versions.store.ts';

export type { QueryRow } from './queries.store.ts';
export { linkResult } from './queries.store.ts';
export { canEdit, findQueryRow, getQuery, requireEdit } from './query-access.ts';

/** A reader by key never receives the text, other keys or e-mail addresses (design 8). */
export async function readQuery(ctx: ReaderCtx, id: number) {
  if (ctx.identity.kind !== 'user') return { ...(await sharedAnswer(ctx, await getQuery(ctx, id))), can_edit: false };
  const asUser = ctx as UserCtx;
  // Before the query: a run that has ended by then has left its result there.
  const running = await unfinishedRun(asUser, id);
  const row = await getQuery(ctx, id);
  return { ...(await queryAnswer(asUser, row)), can_edit: await canEdit(asUser, row), ...(running ? { running } : {}) };
}

/** A new key, in the two forms it is kept. */
export function newQueryKey(ctx: Pick<UserCtx, 'secrets'>) {
  const key = randomKey();
  return { api_key_hash: ctx.secrets.hash('api key', key), api_key_sealed: ctx.secrets.seal(key) };
}

export const createQuery = (ctx: UserCtx, given: NewQuery, device_query: DeviceSelection | null = null): Promise<Query> =>
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
      device_query,
    });
    await insertVisualization(tx.db, id, 'TABLE', 'Table');
    await recordEvent(tx, 'create', 'query', id);
    return queryAnswer(tx, await getQuery(tx, id));
  });

type Draft = Omit<QueryFields, 'is_draft' | 'query_hash'> & Pick<QueryRow, 'device_query'>;

/** server-behaviour 7.10: a draft of the caller's; a result that is there already is its latest. */
async function addQuery(tx: UserCtx, draft: Draft, copiedResult: number | null = null): Promise<number> {
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

/** Q6 and server-behaviour 7.14: the copy is checked as if it were written anew (security 21). */
export const forkQuery = (ctx: UserCtx, id: number): Promise<Query> =>
  ctx.transaction(async (tx) => {
    const original = await getQuery(tx, id);
    if (original.data_source_id === null) throw invalid('This query has no data source any more.');
    await requireFullAccess(tx, original.data_source_id);
    await requireDropdowns(tx, original.options);
    const { description, query, data_source_id, options, tags, device_query } = original;
    const name = `Copy of (#${id}) ${original.name}`.slice(0, 255);
    const copy = { name, description, query, data_source_id, options, tags, device_query, schedule: null };
    const copyId = await addQuery(tx, copy, (await mayReadLatest(tx, original)) ? original.latest_query_data_id : null);
    await copyVisualizations(tx.db, id, copyId);
    await recordEvent(tx, 'fork', 'query', id, { copy: copyId });
    return queryAnswer(tx, await getQuery(tx, copyId));
  });

/** Only sent keys change; without a version the caller means to overwrite (Q8). */
export const saveQuery = (ctx: UserCtx, id: number, changes: QueryChanges & { device_query?: DeviceSelection }): Promise<Query> =>
  ctx.transaction(async (tx) => {
    const before = await getQueryToChange(tx, id);
    await requireEdit(tx, before);
    const { version, ...fields } = changes;
    if (version !== undefined && version !== before.version) throw conflict('The query has been modified by another user.');
    const schedule = checkedSchedule(tx, fields.schedule === undefined ? before.schedule : fields.schedule, before.schedule);
    const next = await checkedChange(tx, before, { ...before, ...fields, schedule });
    await storeChange(tx, before, next);
    await recordEvent(tx, 'edit', 'query', id);
    return queryAnswer(tx, await getQuery(tx, id));
  });

/** Writes it down and keeps the version; call with the row locked. */
export async function storeChange(tx: UserCtx, before: QueryRow, next: QueryRow): Promise<void> {
  await updateQuery(tx.db, before.id, next, tx.user.id);
  await keepVersion(tx.db, before.id, tx.user.id, changedFields(before, next));
}

/** security 21: the whole is checked after the merge, not the sent part. */
async function checkedChange(tx: UserCtx, before: QueryRow, next: QueryRow): Promise<QueryRow> {
  const changed = changedFields(before, next);
  const runsDifferently = changed.some((field) => ['query', 'options', 'data_source_id', 'schedule'].includes(field));
  if (!runsDifferently) return next;
  if (next.data_source_id !== null) await requireFullAccess(tx, next.data_source_id);
  await requireDropdowns(tx, next.options, before.options);
  const query_hash = await savedHash(tx, next);
  const isOther = query_hash !== (await savedHash(tx, before)) || changed.includes('data_source_id');
  // W30: the result of another text is not this query's, so it is not shown as if it were.
  const latest_query_data_id = isOther ? ((await findResultOf(tx.db, { ...next, query_hash }))?.id ?? null) : before.latest_query_data_id;
  const result = { ...next, query_hash, latest_query_data_id, text_version: isOther ? before.version + 1 : before.text_version };
  return isOther || changed.includes('schedule') ? rescheduled(tx, result) : result;
}

/** Counted anew from the last slot or result; what never ran is due at once, what failed gets another chance. */
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
