import { hasPermission } from '@telltale/domain/access/permissions.ts';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { afterAll } from 'vitest';
import { MqttBroker } from '../networks/mqtt/broker.ts';
import { listenPlain, listenPrivate } from '../networks/mqtt/listeners.ts';
import { joinRegistry } from '../platform/process-registry.ts';
import { registerDevice } from '../roles/register-device.ts';
import { findPersonByKey } from '../session/sessions.store.ts';
import { keepAcks } from '../uplinks/acks.ts';
import { announceBroker } from '../uplinks/brokers.ts';
import { createDirectory } from '../uplinks/directory.ts';
import { keepPresence } from '../uplinks/presence.ts';
import { type UplinkOptions, Uplinks } from '../uplinks/uplinks.ts';
import type { MadeDevice } from './fleet.ts';
import { servicesOf } from './live-server.ts';
import type { TestApp } from './test-app.ts';

/** A broker in this process, on the database of an app, listening on a port of its own and behind the app's `/mqtt`. */
export async function testBroker(app: TestApp, options: UplinkOptions = {}) {
  const services = servicesOf(app);
  const entry = await joinRegistry(services.db, 'ingest', [], services.log);
  const uplinks = new Uplinks(services, { writer: entry.id, settleMs: 50, ...options });
  const directory = createDirectory(services, registerDevice(services));
  const presence = keepPresence(services, entry.id, uplinks);
  const broker = await MqttBroker.start({
    directory,
    uplinks,
    presence,
    findUser: async (key) => {
      const person = await findPersonByKey(services.db, services.secrets.hash('api key', key));
      return person && { id: person.id, mayView: hasPermission(person.permissions, 'view_channel') };
    },
    onAck: keepAcks(services),
    db: services.db,
    log: services.log,
  });
  const accept = broker.accept.bind(broker);
  const [plain, hidden] = [await listenPlain('127.0.0.1', 0, accept), await listenPrivate(accept)];
  await announceBroker(services.db, entry.id, { address: null, tls_address: null, private_port: hidden.port });
  const clients: MqttClient[] = [];
  afterAll(async () => {
    for (const client of clients) client.end(true);
    await Promise.all([plain.close(), hidden.close()]);
    await broker.close();
    await presence.stop();
    await uplinks.stop();
    await directory.stop();
    await entry.stop();
  });

  const open = (url: string, settings: IClientOptions): Promise<MqttClient> => {
    const client = mqtt.connect(url, { reconnectPeriod: 0, connectTimeout: 5000, protocolVersion: 4, ...settings });
    clients.push(client);
    return new Promise((resolve, reject) => {
      client.once('connect', () => resolve(client));
      client.once('error', reject);
      client.once('close', () => reject(new Error('closed')));
    });
  };
  const credentials = ({ channel_id, device_id, api_key }: MadeDevice) => ({ username: `${channel_id}/${device_id}`, password: api_key });
  return {
    port: plain.port,
    broker,
    uplinks,
    presence,
    directory,
    open: (settings: IClientOptions) => open(`mqtt://127.0.0.1:${plain.port}`, settings),
    device: (device: MadeDevice, settings: IClientOptions = {}) =>
      open(`mqtt://127.0.0.1:${plain.port}`, { ...credentials(device), ...settings }),
    overWebSocket: (device: MadeDevice) => open(`${app.origin.replace('http', 'ws')}/mqtt`, credentials(device)),
  };
}
