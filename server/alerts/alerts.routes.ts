import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import type { Http } from '../platform/http/http.ts';
import {
  alertSummary,
  createAlert,
  listAlertDeliveries,
  listAlerts,
  listEvaluations,
  muteAlert,
  readAlert,
  removeAlert,
  saveAlert,
} from './alerts.ts';
import { alertsOfDevice } from './alerts-of-device.ts';
import { evaluateNow } from './evaluate-now.ts';
import { querySetting } from './query-setting.ts';
import { replay } from './replay.ts';
import { listSubscriptions, subscribe, unsubscribe } from './subscriptions.ts';

export function alertRoutes(http: Http): void {
  http.on(alertsApi.list, (ctx, { query }) => listAlerts(ctx, query));
  http.on(alertsApi.summary, (ctx) => alertSummary(ctx));
  http.on(alertsApi.querySetting, (ctx, { query }) => querySetting(ctx, query.query_id));
  http.on(alertsApi.replay, (ctx, { body }) => replay(ctx, body));
  http.on(alertsApi.create, (ctx, { body }) => createAlert(ctx, body));
  http.on(alertsApi.get, (ctx, { params }) => readAlert(ctx, params.id));
  http.on(alertsApi.save, (ctx, { params, body }) => saveAlert(ctx, params.id, body));
  http.on(alertsApi.remove, (ctx, { params }) => removeAlert(ctx, params.id));
  http.on(alertsApi.mute, (ctx, { params }) => muteAlert(ctx, params.id, true));
  http.on(alertsApi.unmute, (ctx, { params }) => muteAlert(ctx, params.id, false));
  http.on(alertsApi.evaluate, (ctx, { params }) => evaluateNow(ctx, params.id));
  http.on(alertsApi.evaluations, (ctx, { params, query }) => listEvaluations(ctx, params.id, query));
  http.on(alertsApi.deliveries, (ctx, { params, query }) => listAlertDeliveries(ctx, params.id, query));
  http.on(alertsApi.subscriptions, (ctx, { params }) => listSubscriptions(ctx, params.id));
  http.on(alertsApi.subscribe, (ctx, { params, body }) => subscribe(ctx, params.id, body.destination_id ?? null));
  http.on(alertsApi.unsubscribe, (ctx, { params }) => unsubscribe(ctx, params.id, params.subscriptionId));
  http.on(alertsApi.ofDevice, (ctx, { params }) => alertsOfDevice(ctx, params));
}
