import type { Alert, AlertSummary, ListedAlert } from '@telltale/domain/alerts/contract.ts';
import type { UserCtx } from '../platform/context.ts';
import { may } from '../policy/policy.ts';
import { findUsersById } from '../users/users.ts';
import { readsValues } from './alert-access.ts';
import { type AlertRow, findQueriesOfAlerts } from './alerts.store.ts';
import { listAlertDevices } from './device-alerts.store.ts';
import { findLastEvaluation } from './evaluations.store.ts';

type QueryFacts = NonNullable<ListedAlert['query']>;
/** W38: reads the queries of all listed alerts at once. */
async function findQueries(ctx: UserCtx, ids: number[]): Promise<Map<number, QueryFacts>> {
  const rows = await findQueriesOfAlerts(ctx.db, ids);
  const people = await findUsersById(
    ctx,
    rows.flatMap(({ user_id, last_modified_by_id }) => [user_id, last_modified_by_id ?? user_id]),
  );
  const facts = rows.flatMap(({ options, user_id, last_modified_by_id, ...query }): QueryFacts[] => {
    const user = people.get(user_id);
    const last_modified_by = (last_modified_by_id !== null && people.get(last_modified_by_id)) || null;
    return user ? [{ ...query, user, last_modified_by, parameters: options.parameters?.length ?? 0 }] : [];
  });
  return new Map(facts.map((query) => [query.id, query]));
}

export async function listAnswers(ctx: UserCtx, rows: readonly AlertRow[]): Promise<ListedAlert[]> {
  const queries = await findQueries(
    ctx,
    rows.flatMap(({ query_id }) => query_id ?? []),
  );
  const people = await findUsersById(
    ctx,
    rows.map(({ user_id }) => user_id),
  );
  return rows.flatMap((row) => {
    const user = people.get(row.user_id);
    if (!user) return [];
    const { id, name, options, rearm, state, last_triggered_at, created_at, updated_at, query_id } = row;
    const query = query_id === null ? null : (queries.get(query_id) ?? null);
    return [
      {
        id,
        name,
        options,
        rearm,
        state,
        last_triggered_at,
        created_at,
        updated_at,
        query_id,
        query,
        user,
        can_edit: may(ctx.user, 'edit', 'alert', row),
      },
    ];
  });
}

export async function alertAnswer(ctx: UserCtx, row: AlertRow): Promise<Alert> {
  const [listed] = await listAnswers(ctx, [row]);
  if (!listed) throw new Error('The owner of an alert is missing.');
  const last = await findLastEvaluation(ctx.db, row.id);
  const last_evaluation = last && (await readsValues(ctx, row)) ? last : last && { ...last, value: null };
  const unknown_reason =
    row.state === 'unknown' ? (row.unknown_reason ?? (last_evaluation ? null : 'Alert condition has not been evaluated.')) : null;
  const devices = row.kind === 'query' ? {} : { devices: await listAlertDevices(ctx.db, row) };
  return { ...listed, last_evaluation, unknown_reason, ...devices };
}

export function summaryOf(rows: readonly AlertRow[]): AlertSummary {
  const count = (state: AlertRow['state']) => rows.filter((row) => row.state === state).length;
  return { total: rows.length, triggered: count('triggered'), ok: count('ok'), unknown: count('unknown') };
}
