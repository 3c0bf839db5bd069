import { alertCommandsApi, commandSubscriptionsApi, commandsApi, deliveriesApi, schedulesApi } from '@telltale/domain/commands/contract.ts';
import type { Http } from '../platform/http/http.ts';
import { linkCommand, listAlertCommands, unlinkCommand } from './alert-commands.ts';
import { createCommand, getCommand, listCommands, listExecutions, removeCommand, saveCommand, sendCommand } from './commands.ts';
import { cancelDelivery, clearQueue, getDelivery, listOfCommand, listOfDevice } from './deliveries.ts';
import { createSchedule, listRuns, listSchedules, previewSchedule, removeSchedule, resumeSchedule, saveSchedule } from './schedules.ts';
import { listSubscriptions, subscribe, unsubscribe } from './subscriptions.ts';

export function commandRoutes(http: Http): void {
  http.on(commandsApi.list, (ctx, { query }) => listCommands(ctx, query));
  http.on(commandsApi.create, (ctx, { body }) => createCommand(ctx, body));
  http.on(commandsApi.get, (ctx, { params }) => getCommand(ctx, params.id));
  http.on(commandsApi.save, (ctx, { params, body }) => saveCommand(ctx, params.id, body));
  http.on(commandsApi.remove, (ctx, { params }) => removeCommand(ctx, params.id));
  http.on(commandsApi.send, (ctx, { params, body }) => sendCommand(ctx, params.id, body));
  http.on(commandsApi.executions, (ctx, { params, query }) => listExecutions(ctx, params.id, query));
  http.on(commandsApi.deliveries, (ctx, { params, query }) => listOfCommand(ctx, params.id, query));
  http.on(deliveriesApi.get, (ctx, { params }) => getDelivery(ctx, params.id));
  http.on(deliveriesApi.cancel, (ctx, { params }) => cancelDelivery(ctx, params.id));
  http.on(deliveriesApi.ofDevice, (ctx, { params, query }) => listOfDevice(ctx, params, query));
  http.on(deliveriesApi.clearQueue, (ctx, { params }) => clearQueue(ctx, params));
  http.on(schedulesApi.list, (ctx, { params, query }) => listSchedules(ctx, params.id, query));
  http.on(schedulesApi.create, (ctx, { params, body }) => createSchedule(ctx, params.id, body));
  http.on(schedulesApi.save, (ctx, { params, body }) => saveSchedule(ctx, params.id, params.sid, body));
  http.on(schedulesApi.remove, (ctx, { params }) => removeSchedule(ctx, params.id, params.sid));
  http.on(schedulesApi.resume, (ctx, { params }) => resumeSchedule(ctx, params.id, params.sid));
  http.on(schedulesApi.runs, (ctx, { params, query }) => listRuns(ctx, params.id, params.sid, query));
  http.on(schedulesApi.preview, (ctx, { body }) => previewSchedule(ctx, body));
  http.on(commandSubscriptionsApi.list, (ctx, { params }) => listSubscriptions(ctx, params.id));
  http.on(commandSubscriptionsApi.create, (ctx, { params, body }) => subscribe(ctx, params.id, body.destination_id));
  http.on(commandSubscriptionsApi.remove, (ctx, { params }) => unsubscribe(ctx, params.id, params.sid));
  http.on(alertCommandsApi.list, (ctx, { params }) => listAlertCommands(ctx, params.id));
  http.on(alertCommandsApi.create, (ctx, { params, body }) => linkCommand(ctx, params.id, body));
  http.on(alertCommandsApi.remove, (ctx, { params }) => unlinkCommand(ctx, params.id, params.cid));
}
