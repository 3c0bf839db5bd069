import type { QueryAlertOptions } from '@telltale/domain/alerts/options.ts';
import { Selection, type Verdict } from '@telltale/domain/alerts/selection.ts';
import { reasonOf } from '@telltale/domain/alerts/wording.ts';
import type { ResultRow } from '@telltale/domain/results/contract.ts';
import { getSettings } from '../organizations/organizations.ts';
import type { Ctx } from '../platform/context.ts';
import { findQueryRow } from '../queries/queries.ts';
import { findStoredResult, type StoredResult } from '../results/stored-rows.ts';
import { type AlertRow, listAlertsOfQuery, listPausedAlerts, lockAlert, setProgress } from './alerts.store.ts';
import { insertEvaluation } from './evaluations.store.ts';
import { type Sight, showsRows } from './notice-text.ts';
import { recordEvaluation } from './record-evaluation.ts';

/** The number of result rows in a notice; templates that show rows get `mostRows`. */
const usualRows = 51;
const mostRows = 1000;

type Result = Pick<Sight, 'query' | 'rows' | 'columns' | 'isCut' | 'metadata'>;

/** Evaluates all alerts on a result, which is read only once (W41). */
async function verdictsOf(
  ctx: Ctx,
  alerts: readonly AlertRow[],
  result: StoredResult,
): Promise<{ verdicts: Map<number, Verdict>; head: ResultRow[] }> {
  const { time_zone } = await getSettings(ctx);
  const selections = new Map(alerts.map(({ id, options }) => [id, new Selection(options as QueryAlertOptions, time_zone)]));
  const wanted = alerts.some(showsRows) ? mostRows : usualRows;
  const head: ResultRow[] = [];
  for await (const rows of result.rows()) {
    for (const row of rows) {
      if (head.length < wanted) head.push(row);
      for (const selection of selections.values()) if (!selection.isDone) selection.see(row);
    }
    if (head.length >= wanted && [...selections.values()].every(({ isDone }) => isDone)) break;
  }
  return { verdicts: new Map([...selections].map(([id, selection]) => [id, selection.verdict()])), head };
}

/** A result and, for the notices, the run that it is of; `asked` is the one alert that somebody wants evaluated now. */
interface Check {
  query_id: number;
  result_id: number;
  metadata: Record<string, unknown>;
  asked?: number;
}

/** Evaluates the alerts of a query on one of its results. One alert that fails does not stop the others (W23). */
export async function checkAlertsOfQuery(ctx: Ctx, { query_id, result_id, metadata, asked }: Check): Promise<void> {
  const alerts = (await listAlertsOfQuery(ctx.db, query_id)).filter(({ id }) => asked === undefined || id === asked);
  const query = alerts.length > 0 ? await findQueryRow(ctx, query_id) : undefined;
  const result = query && (await findStoredResult(ctx, result_id));
  if (!query || !result) return;
  const { verdicts, head } = await verdictsOf(ctx, alerts, result);
  const seen: Result = {
    query: { id: query.id, name: query.name },
    rows: head,
    columns: result.columns,
    isCut: result.row_count > head.length,
    metadata,
  };
  const faults: unknown[] = [];
  for (const alert of alerts) {
    const verdict = verdicts.get(alert.id);
    if (!verdict) continue;
    try {
      await ctx.transaction((tx) => evaluate(tx, alert, verdict, seen, { id: result_id, isAsked: asked !== undefined }));
    } catch (error) {
      ctx.log.error({ err: error, alert: alert.id }, 'an alert could not be evaluated');
      faults.push(error);
    }
  }
  // The job is tried again; alerts that were evaluated are not evaluated a second time.
  if (faults.length > 0) throw faults[0];
}

/** server-behaviour 14.3.1: evaluates an alert that somebody asked for, while its query has no result. */
export function evaluateWithoutResult(tx: Ctx, alert: AlertRow, { id, name }: { id: number; name: string }): Promise<void> {
  const verdict = { state: 'unknown', value: null, lack: 'The query has no result yet.' } as const;
  const seen = { query: { id, name }, rows: [], columns: [], isCut: false, metadata: {} };
  return evaluate(tx, alert, verdict, seen, { id: null, isAsked: true });
}

interface Evaluated {
  /** The result, or null where the query has none yet. */
  id: number | null;
  /** Somebody asked for this evaluation, so a result that was evaluated before is evaluated again. */
  isAsked: boolean;
}

async function evaluate(tx: Ctx, seen: AlertRow, verdict: Verdict, result: Result, evaluated: Evaluated): Promise<void> {
  const { id } = seen;
  const alert = await lockAlert(tx.db, id);
  // The condition was changed meanwhile, or this result or a newer one was evaluated first.
  if (!alert || alert.armed_at !== seen.armed_at) return;
  const last = alert.last_result_id ?? 0;
  const result_id = evaluated.id ?? seen.last_result_id ?? 0;
  if (evaluated.isAsked ? last > result_id : last >= result_id) return;
  const before = alert.failed_from ?? alert.state;
  const isNews = await recordEvaluation(tx, alert, {
    ...result,
    before,
    after: verdict.state,
    value: verdict.value,
    lack: verdict.lack,
    lastAt: alert.last_triggered_at,
    result_id,
    isAsked: evaluated.isAsked,
  });
  await setProgress(tx.db, id, {
    state: verdict.state,
    unknown_reason: verdict.state === 'unknown' ? (verdict.lack ?? 'The value cannot be compared with the threshold.') : null,
    failed_from: null,
    isNews,
    last_result_id: evaluated.id,
  });
}

/** Sets alerts to unknown when their query fails or waits for a paused source, instead of keeping an old `ok`; nobody is notified. */
async function noteMissedRun(tx: Ctx, id: number, outcome: 'query_failed' | 'source_paused', lack: string): Promise<void> {
  const alert = await lockAlert(tx.db, id);
  if (!alert) return;
  const evaluation = {
    alert_id: id,
    device_pk: null,
    value: null,
    threshold: null,
    state: 'unknown' as const,
    previous_state: alert.state,
  };
  const reason = reasonOf({ outcome, rearm: null, targets: [], lack });
  await insertEvaluation(tx.db, { ...evaluation, outcome, reason });
  await setProgress(tx.db, id, {
    state: 'unknown',
    unknown_reason: lack,
    failed_from: alert.failed_from ?? alert.state,
    isNews: false,
    last_result_id: null,
  });
}

export async function noteFailedRun(tx: Ctx, { query_id, message }: { query_id: number; message: string }): Promise<void> {
  for (const { id } of await listAlertsOfQuery(tx.db, query_id))
    await noteMissedRun(tx, id, 'query_failed', `The query failed: ${message.slice(0, 1000)}`);
}

/** Marks alerts whose query is due on a paused source, each one once. */
export async function notePausedSources(ctx: Ctx): Promise<void> {
  for (const { id, source, reason } of await listPausedAlerts(ctx.db)) {
    const lack = `The data source ${source} is paused${reason ? ` (${reason})` : ''}.`;
    await ctx.transaction((tx) => noteMissedRun(tx, id, 'source_paused', lack));
  }
}
