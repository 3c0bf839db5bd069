import type { Alert } from '@telltale/domain/alerts/contract.ts';
import { readingOf } from '@telltale/domain/alerts/device-state.ts';
import { recordEvent } from '../events/events.ts';
import type { UserCtx } from '../platform/context.ts';
import { findQueryRow } from '../queries/queries.ts';
import { getAlertToChange } from './alert-access.ts';
import { readAlert } from './alerts.ts';
import { listLastReadings } from './device-alerts.store.ts';
import { type Observation, settleObservations } from './device-alerts.ts';
import { checkAlertsOfQuery, evaluateWithoutResult } from './query-alerts.ts';
import { checkSilence } from './silence.ts';

/**
 * server-behaviour 14.2: evaluates the stored data now. An alert on a query notifies in any case; one on devices by the usual rules,
 * because it would send as many notices as it watches devices.
 */
export async function evaluateNow(ctx: UserCtx, id: number): Promise<Alert> {
  const alert = await ctx.transaction((tx) => getAlertToChange(tx, id));
  await recordEvent(ctx, 'evaluate', 'alert', id);
  const { options } = alert;
  if (options.kind === 'query') {
    const query = await findQueryRow(ctx, alert.query_id ?? 0);
    if (query?.latest_query_data_id)
      await checkAlertsOfQuery(ctx, { query_id: query.id, result_id: query.latest_query_data_id, metadata: {}, asked: id });
    else if (query) await ctx.transaction((tx) => evaluateWithoutResult(tx, alert, query));
  } else if (options.kind === 'silence') await checkSilence(ctx);
  else {
    const readings = await listLastReadings(ctx.db, id, options.attribute);
    const observations = readings.map(
      ({ device_pk, at, ...last }): Observation => ({
        alert_id: id,
        device_pk,
        armedAt: Date.parse(alert.armed_at),
        seen: { kind: 'reading', value: readingOf(last, options.value), at, isAsked: true },
      }),
    );
    for (let at = 0; at < observations.length; at += 200)
      await ctx.transaction((tx) => settleObservations(tx, observations.slice(at, at + 200)));
  }
  return readAlert(ctx, id);
}
