import { isDeepStrictEqual } from 'node:util';
import type { Alert, AlertChanges, AlertSummary, NewAlert } from '@telltale/domain/alerts/contract.ts';
import type { AlertOptions, ChangedAlertOptions } from '@telltale/domain/alerts/options.ts';
import type { ArrayListParams, ListParams } from '@telltale/domain/lists/contract.ts';
import { getChannelRow } from '../channels/channels.ts';
import { hasDevices } from '../channels/devices.ts';
import { giveUpOnAlert } from '../destinations/deliveries.ts';
import { recordEvent } from '../events/events.ts';
import type { Ctx, UserCtx } from '../platform/context.ts';
import { invalid } from '../platform/errors.ts';
import { arrayOrPage } from '../platform/lists.ts';
import { whereMay } from '../policy/policy.ts';
import { getAlertRow, getAlertToChange, getWatchable, readsValues, requireChannelView } from './alert-access.ts';
import { alertAnswer, listAnswers, summaryOf } from './alert-answers.ts';
import { listDeliveriesOfAlert } from './alert-deliveries.store.ts';
import {
  type AlertFields,
  type AlertRow,
  deleteAlert,
  insertAlert,
  listAlertsOfQuery,
  listVisibleAlerts,
  setMuted,
  updateAlert,
} from './alerts.store.ts';
import { forgetDeviceStates } from './device-alerts.store.ts';
import { listEvaluationRows } from './evaluations.store.ts';

/** The alerts that the caller's groups can see; each one once, however many groups match (W29). */
const visibleRows = (ctx: UserCtx): Promise<AlertRow[]> => listVisibleAlerts(ctx.db, whereMay(ctx.user, 'list', 'alert'));

export async function listAlerts(ctx: UserCtx, params: ArrayListParams) {
  const answers = await listAnswers(ctx, await visibleRows(ctx));
  // A2: lists can be sorted by the bell column.
  const sortable = answers.map((alert) => ({ ...alert, muted: alert.options.muted }));
  const listed = arrayOrPage(sortable, params, ({ name, query }) => `${name} ${query?.name ?? ''}`);
  const plain = ({ muted: _, ...alert }: (typeof sortable)[number]) => alert;
  return Array.isArray(listed) ? listed.map(plain) : { ...listed, results: listed.results.map(plain) };
}

export const alertSummary = async (ctx: UserCtx): Promise<AlertSummary> => summaryOf(await visibleRows(ctx));
export const countAlerts = async (ctx: UserCtx): Promise<number> => (await visibleRows(ctx)).length;

export const readAlert = async (ctx: UserCtx, id: number): Promise<Alert> => alertAnswer(ctx, await getAlertRow(ctx, id));

/** Checks access to everything that an alert refers to, at its creation and at every change (security 21). */
async function checkedFields(ctx: UserCtx, given: Omit<AlertFields, 'channel_pk'>): Promise<AlertFields> {
  const { options } = given;
  if (options.kind === 'query') {
    if (given.query_id === null) throw invalid('Choose a query.');
    const query = await getWatchable(ctx, given.query_id);
    if (query.is_archived) throw invalid('This query is archived.');
    return { ...given, channel_pk: null };
  }
  requireChannelView(ctx);
  const { pk } = await getChannelRow(ctx, options.channel_id);
  const device_ids = [...new Set(options.device_ids)];
  if (!(await hasDevices(ctx, options.channel_id, device_ids))) throw invalid('The channel does not have all of these devices.');
  return { ...given, options: { ...options, device_ids }, query_id: null, channel_pk: pk };
}

/** A3: rearm is sent at the top level or inside the options; the value that differs from the stored one counts. */
function rearmOf(
  given: { rearm?: number | null | undefined; options?: ChangedAlertOptions | undefined },
  before: number | null,
): number | null {
  const said = [given.rearm, given.options?.rearm].filter((rearm) => rearm !== undefined);
  return said.find((rearm) => rearm !== before) ?? (said.length > 0 ? (said[0] ?? null) : before);
}

function storedOptions({ rearm: _, muted, ...options }: ChangedAlertOptions, wasMuted: boolean): AlertOptions {
  return { ...options, muted: muted ?? wasMuted };
}

export const createAlert = (ctx: UserCtx, given: NewAlert): Promise<Alert> =>
  ctx.transaction(async (tx) => {
    const { name, query_id = null } = given;
    const fields = await checkedFields(tx, { name, query_id, options: storedOptions(given.options, false), rearm: rearmOf(given, null) });
    const id = await insertAlert(tx.db, { org_id: tx.user.org_id, user_id: tx.user.id }, fields);
    await recordEvent(tx, 'create', 'alert', id);
    return alertAnswer(tx, await getAlertRow(tx, id));
  });

const conditionKeys = [
  'kind',
  'column',
  'op',
  'value',
  'selector',
  'channel_id',
  'device_ids',
  'attribute',
  'for_seconds',
  'silent_seconds',
];
const conditionOf = (options: AlertOptions) => conditionKeys.map((key) => (options as Record<string, unknown>)[key]);

/** Changes only the sent fields. A new query or condition resets the state, because the old state does not apply to it. */
export const saveAlert = (ctx: UserCtx, id: number, changes: AlertChanges): Promise<Alert> =>
  ctx.transaction(async (tx) => {
    const before = await getAlertToChange(tx, id);
    const fields = await checkedFields(tx, {
      name: changes.name ?? before.name,
      query_id: changes.query_id === undefined ? before.query_id : changes.query_id,
      options: changes.options ? storedOptions(changes.options, before.options.muted) : before.options,
      rearm: rearmOf(changes, before.rearm),
    });
    const isRearmed =
      fields.query_id !== before.query_id ||
      fields.channel_pk !== before.channel_pk ||
      !isDeepStrictEqual(conditionOf(fields.options), conditionOf(before.options));
    await updateAlert(tx.db, id, fields, isRearmed);
    if (isRearmed) await forgetDeviceStates(tx.db, id);
    await recordEvent(tx, 'edit', 'alert', id);
    return alertAnswer(tx, await getAlertRow(tx, id));
  });

export const muteAlert = (ctx: UserCtx, id: number, muted: boolean): Promise<null> =>
  ctx.transaction(async (tx) => {
    await getAlertToChange(tx, id);
    await setMuted(tx.db, id, muted);
    await recordEvent(tx, muted ? 'mute' : 'unmute', 'alert', id);
    return null;
  });

export const removeAlert = (ctx: UserCtx, id: number): Promise<null> =>
  ctx.transaction(async (tx) => {
    await getAlertToChange(tx, id);
    await drop(tx, id);
    await recordEvent(tx, 'delete', 'alert', id);
    return null;
  });

/** Deletes an alert and cancels its waiting notices. */
async function drop(tx: Ctx, id: number): Promise<void> {
  await giveUpOnAlert(tx.db, id);
  await deleteAlert(tx.db, id);
}

/** Q4: archiving a query deletes its alerts. */
export async function removeAlertsOf(tx: Ctx, { query_id }: { query_id: number }): Promise<void> {
  for (const { id } of await listAlertsOfQuery(tx.db, query_id)) await drop(tx, id);
}

export async function listEvaluations(ctx: UserCtx, id: number, params: ListParams) {
  const alert = await getAlertRow(ctx, id);
  const page = await listEvaluationRows(ctx.db, id, params);
  if (await readsValues(ctx, alert)) return page;
  return { ...page, results: page.results.map((evaluation) => ({ ...evaluation, value: null })) };
}

export async function listAlertDeliveries(ctx: UserCtx, id: number, params: ListParams) {
  const alert = await getAlertRow(ctx, id);
  const page = await listDeliveriesOfAlert(ctx.db, id, params);
  if (await readsValues(ctx, alert)) return page;
  // A template may write values into the subject.
  return { ...page, results: page.results.map((delivery) => ({ ...delivery, subject: '' })) };
}
