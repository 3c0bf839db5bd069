import type { Ctx, UserCtx } from '../platform/context.ts';
import { forbidden, notFound, notYours } from '../platform/errors.ts';
import type { AlertFacts, WatchedFacts } from '../policy/facts.ts';
import { may } from '../policy/policy.ts';
import { factsOfResult, hasReadableLatest } from '../queries/joined-results.ts';
import { findQueryRow, getQuery, type QueryRow } from '../queries/queries.ts';
import { type AlertRow, findAlert, lockAlert } from './alerts.store.ts';

/** The facts about an alert that the policy needs; undefined when its query no longer exists. */
async function alertFacts(
  ctx: Ctx,
  { user_id, query_id, channel_pk }: AlertRow,
): Promise<(AlertFacts & { query: QueryRow | null }) | undefined> {
  if (query_id === null) return { user_id, query: null, channel_pk };
  const query = await findQueryRow(ctx, query_id);
  return query && { user_id, query, channel_pk };
}

/** The same with the result that its values come from: the one that is evaluated, else the query's latest. */
export async function watchedFacts(ctx: Ctx, alert: AlertRow, evaluatedId?: number): Promise<WatchedFacts | undefined> {
  const facts = await alertFacts(ctx, alert);
  if (!facts) return undefined;
  const id = evaluatedId ?? facts.query?.latest_query_data_id ?? alert.last_result_id;
  return { ...facts, ...(id === null ? { joined: [], channel_pks: [] } : await factsOfResult(ctx, id)) };
}

/** design 8.1: users who may not read the result of the query see the alert without its values. */
export async function readsValues(ctx: UserCtx, alert: AlertRow): Promise<boolean> {
  const facts = await watchedFacts(ctx, alert);
  return facts !== undefined && may(ctx.user, 'read_values', 'alert', facts);
}

export const getAlertRow = async (ctx: UserCtx, id: number): Promise<AlertRow> => visible(ctx, await findAlert(ctx.db, id));

/** Locks the alert as well: nobody else changes or evaluates it until the transaction ends. A6: its owner and administrators. */
export async function getAlertToChange(tx: UserCtx, id: number): Promise<AlertRow> {
  const alert = await visible(tx, await lockAlert(tx.db, id));
  if (!may(tx.user, 'edit', 'alert', alert)) throw notYours();
  return alert;
}

async function visible(ctx: UserCtx, alert: AlertRow | undefined): Promise<AlertRow> {
  if (!alert) throw notFound('Alert');
  const facts = await alertFacts(ctx, alert);
  if (!facts || !may(ctx.user, 'view', 'alert', facts)) throw forbidden();
  return alert;
}

/** Returns the query when the caller may see it and its latest result (W11: also checked at every change of the query). */
export async function getWatchable(ctx: UserCtx, queryId: number): Promise<QueryRow> {
  const query = await getQuery(ctx, queryId);
  if (!(await hasReadableLatest(ctx, query))) throw forbidden();
  return query;
}

export function requireChannelView(ctx: UserCtx): void {
  if (!may(ctx.user, 'view', 'channel')) throw forbidden();
}
