import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { devicesApi } from '@telltale/domain/channels/contract.ts';
import { alertCommandsApi, commandSubscriptionsApi, commandsApi, schedulesApi } from '@telltale/domain/commands/contract.ts';
import { destinationsApi } from '@telltale/domain/destinations/contract.ts';
import { networksApi } from '@telltale/domain/networks/contract.ts';
import { aChannel, admin, admins, type Expectations, everybody, listers, nextNumber, otherQuery, signedIn, withBody } from './callers.ts';

const aNetwork = async () => ({
  params: { id: (await admin.get(networksApi.create, { body: { name: `Network ${nextNumber()}`, type: 'http' } })).id },
});
const aDevice = async () => {
  const { params } = await aChannel();
  await admin.get(devicesApi.create, { params, body: { device_id: 'dev-1', device_name: 'D' } });
  return { params: { ...params, deviceId: 'dev-1' } };
};
const watched = () => ({ query_id: otherQuery.id, options: { column: 'one' } });
/** An alert of an administrator. */
const anAlert = async () => ({ params: { id: (await admin.get(alertsApi.create, { body: { name: 'Watch', ...watched() } })).id } });
const aSubscription = async () => {
  const { params } = await anAlert();
  return { params: { ...params, subscriptionId: (await admin.get(alertsApi.subscribe, { params, body: {} })).id } };
};
/** A command to a device of its own. */
const aCommandBody = async () => {
  const { params } = await aDevice();
  return { name: 'Open', channel_id: params.id, device_ids: [params.deviceId], fport: 1, mode: 'push', payload: '01' };
};
const aCommand = async () => ({ params: { id: (await admin.get(commandsApi.create, { body: await aCommandBody() })).id } });
const aDelivery = async () => {
  const { deliveries } = await admin.get(commandsApi.send, { ...(await aCommand()), body: {} });
  return { params: { id: deliveries[0]?.id ?? 0 } };
};
const daily = { type: 'r', schedule: '0 0 6 * * ? *' };
const aSchedule = async () => {
  const { params } = await aCommand();
  return { params: { ...params, sid: (await admin.get(schedulesApi.create, { params, body: daily })).id } };
};
const aCommandSubscription = async () => {
  const { params } = await aCommand();
  const { id: destination_id } = await admin.get(destinationsApi.create, { body: hook() });
  return { params: { ...params, sid: (await admin.get(commandSubscriptionsApi.create, { params, body: { destination_id } })).id } };
};
const anAlertCommand = async () => {
  const { params } = await anAlert();
  const { id: command_id } = (await aCommand()).params;
  return { params: { ...params, cid: (await admin.get(alertCommandsApi.create, { params, body: { command_id } })).id } };
};
const hook = () => ({ name: `Hook ${nextNumber()}`, type: 'webhook', options: { url: 'https://hooks.example' } });
const aDestination = async () => ({ params: { id: (await admin.get(destinationsApi.create, { body: hook() })).id } });
/** Only a device's own key opens it, never a user's. */
const aForeignDevice = () => ({ params: { channel: 'weather', device: 'roof-1', fport: 1 } });

/** Calls of devices, channels, networks, decoders, alerts, commands and destinations. */
export const deviceRoutes: Expectations = {
  'POST /api/v1/:channel/devices/:device/up': everybody(401, aForeignDevice),
  'POST /api/v1/:channel/devices/:device/up/json': everybody(401, aForeignDevice),
  'POST /api/v1/:channel/devices/:device/up/senml': everybody(401, aForeignDevice),
  'POST /api/v1/:channel/devices/:device/up/lpp': everybody(401, aForeignDevice),
  'POST /api/v1/:channel/devices/:device/up/raw/:fport': everybody(401, aForeignDevice),
  'GET /api/v1/:channel/devices/:device/down': everybody(401, aForeignDevice),
  'POST /api/v1/:channel/devices/:device/ack': everybody(401, aForeignDevice),
  // Without an upgrade the route serves the page, which is not built in this test.
  'GET /mqtt': { answers: [302, 404, 404, 404] },
  'GET /api/channels': listers(200),
  'POST /api/channels': listers(200, () => ({ body: { channel_id: `walk-${nextNumber()}` } })),
  'GET /api/channels/:id': listers(200, aChannel),
  'POST /api/channels/:id': listers(200, withBody(aChannel, { channel_name: 'Renamed' })),
  'DELETE /api/channels/:id': listers(200, aChannel),
  'POST /api/channels/:id/api_key': listers(200, aChannel),
  'DELETE /api/channels/:id/api_key': listers(200, aChannel),
  'GET /api/fleet': listers(200),
  'GET /api/channels/:id/attributes': listers(200, aChannel),
  'POST /api/channels/:id/attributes': listers(404, withBody(aChannel, { attribute: 'temperature', unit: '°C' })),
  'GET /api/channels/:id/archive': listers(200, aChannel),
  'GET /api/channels/:id/archive/:name': listers(404, async () => ({ params: { ...(await aChannel()).params, name: '20260101' } })),
  'GET /api/channels/:id/glance': listers(400, aChannel),
  'GET /api/channels/:id/devices': listers(200, aChannel),
  'POST /api/channels/:id/devices': listers(200, async () => ({ ...(await aChannel()), body: { device_id: 'dev-1', device_name: 'D' } })),
  'POST /api/channels/:id/import_devices': listers(200, withBody(aChannel, { devices: [{ device_id: 'dev-1' }] })),
  'GET /api/channels/:id/devices/:deviceId': listers(200, aDevice),
  'POST /api/channels/:id/devices/:deviceId': listers(200, withBody(aDevice, { tags: ['roof'] })),
  'GET /api/channels/:id/device_tags': listers(200, aChannel),
  'DELETE /api/channels/:id/devices/:deviceId': listers(200, aDevice),
  'POST /api/channels/:id/devices/:deviceId/rotate_key': listers(200, aDevice),
  'POST /api/channels/:id/devices/:deviceId/simulate': listers(200, withBody(aDevice, { payload: '{"temperature":21.5}' })),
  'GET /api/channels/:id/devices/:deviceId/last': listers(200, aDevice),
  'GET /api/channels/:id/devices/:deviceId/history': listers(200, aDevice),
  'GET /api/channels/:id/devices/:deviceId/messages': listers(200, aDevice),
  'GET /api/channels/:id/devices/:deviceId/radio': listers(200, aDevice),
  'GET /api/channels/:id/devices/:deviceId/dashboard': listers(200, aDevice),
  'POST /api/channels/:id/devices/:deviceId/dashboard': listers(200, withBody(aDevice, { widgets: [] })),
  'GET /api/networks': admins(200),
  'GET /api/networks/types': admins(200),
  'GET /api/networks/names': listers(200),
  'POST /api/networks/airtime': signedIn(200, () => ({ body: { bytes: 10, sf: 7, bandwidth_khz: 125 } })),
  'POST /api/networks': admins(200, () => ({ body: { name: `Network ${nextNumber()}`, type: 'http' } })),
  'POST /api/networks/test': admins(200, () => ({ body: { type: 'http' } })),
  'GET /api/networks/:id': admins(200, aNetwork),
  'POST /api/networks/:id': admins(200, withBody(aNetwork, { name: `Network ${nextNumber()}` })),
  'DELETE /api/networks/:id': admins(200, aNetwork),
  'POST /api/networks/:id/test': admins(200, aNetwork),
  'POST /api/networks/:id/webhook_secret': admins(200, aNetwork),
  // Networks authenticate with a secret of their own.
  'POST /api/networks/:id/webhook': everybody(401, aNetwork),
  'POST /api/networks/:id/webhook/*': everybody(401, aNetwork),
  'GET /api/channels/:id/devices/:deviceId/alerts': listers(200, aDevice),
  'GET /api/alerts': listers(200),
  'GET /api/alerts/summary': listers(200),
  // The route is open to users who may see the query.
  'GET /api/alerts/query-setting': signedIn(400),
  'POST /api/alerts/replay': listers(200, () => ({ body: watched() })),
  'POST /api/alerts': listers(200, () => ({ body: { name: 'Mine', ...watched() } })),
  'GET /api/alerts/:id': listers(200, anAlert),
  // The alert of another user.
  'POST /api/alerts/:id': admins(200, withBody(anAlert, { name: 'Renamed' })),
  'DELETE /api/alerts/:id': admins(200, anAlert),
  'POST /api/alerts/:id/mute': admins(200, anAlert),
  'DELETE /api/alerts/:id/mute': admins(200, anAlert),
  // The alert's query has never run: the evaluation is unknown.
  'POST /api/alerts/:id/eval': admins(200, anAlert),
  'GET /api/alerts/:id/evaluations': listers(200, anAlert),
  'GET /api/alerts/:id/deliveries': listers(200, anAlert),
  'GET /api/alerts/:id/subscriptions': listers(200, anAlert),
  'POST /api/alerts/:id/subscriptions': listers(200, withBody(anAlert, {})),
  'DELETE /api/alerts/:id/subscriptions/:subscriptionId': admins(200, aSubscription),
  'GET /api/downlink-commands': listers(200),
  'POST /api/downlink-commands': listers(200, async () => ({ body: await aCommandBody() })),
  'GET /api/downlink-commands/:id': listers(200, aCommand),
  'POST /api/downlink-commands/:id': listers(200, withBody(aCommand, { name: 'Shut' })),
  'DELETE /api/downlink-commands/:id': listers(200, aCommand),
  'POST /api/downlink-commands/:id/send': listers(200, withBody(aCommand, {})),
  'GET /api/downlink-commands/:id/executions': listers(200, aCommand),
  'GET /api/downlink-commands/:id/deliveries': listers(200, aCommand),
  'GET /api/deliveries/:id': listers(200, aDelivery),
  'DELETE /api/deliveries/:id': listers(200, aDelivery),
  'GET /api/channels/:id/devices/:deviceId/deliveries': listers(200, aDevice),
  'DELETE /api/channels/:id/devices/:deviceId/deliveries': listers(200, aDevice),
  'GET /api/downlink-commands/:id/schedules': listers(200, aCommand),
  'POST /api/downlink-commands/:id/schedules': listers(200, withBody(aCommand, daily)),
  'POST /api/downlink-commands/:id/schedules/:sid': listers(200, withBody(aSchedule, { name: 'Daily' })),
  'DELETE /api/downlink-commands/:id/schedules/:sid': listers(200, aSchedule),
  'POST /api/downlink-commands/:id/schedules/:sid/resume': listers(200, aSchedule),
  'GET /api/downlink-commands/:id/schedules/:sid/runs': listers(200, aSchedule),
  'POST /api/downlink-commands/schedules/preview': signedIn(200, () => ({ body: daily })),
  'GET /api/downlink-commands/:id/subscriptions': listers(200, aCommand),
  'POST /api/downlink-commands/:id/subscriptions': listers(200, async () => ({
    ...(await aCommand()),
    body: { destination_id: (await aDestination()).params.id },
  })),
  'DELETE /api/downlink-commands/:id/subscriptions/:sid': listers(200, aCommandSubscription),
  'GET /api/alerts/:id/commands': listers(200, anAlert),
  // The alert of another user.
  'POST /api/alerts/:id/commands': admins(200, async () => ({
    ...(await anAlert()),
    body: { command_id: (await aCommand()).params.id },
  })),
  'DELETE /api/alerts/:id/commands/:cid': admins(200, anAlertCommand),
  'GET /api/destinations': signedIn(200),
  'GET /api/destinations/types': admins(200),
  'POST /api/destinations': admins(200, () => ({ body: hook() })),
  'POST /api/destinations/test': admins(
    400,
    withBody(() => ({}), { type: 'nonsense', options: {} }),
  ),
  'GET /api/destinations/:id': admins(200, aDestination),
  'POST /api/destinations/:id': admins(200, async () => ({ ...(await aDestination()), body: hook() })),
  'DELETE /api/destinations/:id': admins(204, aDestination),
  'POST /api/destinations/:id/test': admins(404, () => ({ params: { id: 999_999 } })),
  'GET /api/destinations/:id/deliveries': admins(200, aDestination),
  'GET /api/channels/:id/decoder': listers(200, aChannel),
  'POST /api/channels/:id/decoder': listers(200, withBody(aChannel, { script: 'function decodeUplink() {}' })),
  'GET /api/channels/:id/decoder/versions': listers(200, aChannel),
  'GET /api/channels/:id/decoder/versions/:version': listers(404, async () => ({ params: { ...(await aChannel()).params, version: 1 } })),
  // The channel has no decoder to run.
  'POST /api/channels/:id/decoder/test': listers(400, withBody(aChannel, { bytes: '01', f_port: 1 })),
  'POST /api/channels/:id/decoder/recent': listers(400, withBody(aChannel, {})),
  'POST /api/channels/:id/decoder/rerun': listers(400, withBody(aChannel, { days: 1 })),
  'GET /api/channels/:id/decoder/rerun': listers(200, aChannel),
  'DELETE /api/channels/:id/decoder/rerun': listers(200, aChannel),
};
