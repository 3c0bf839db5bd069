import mqtt, { type IClientOptions, type MqttClient, type Packet } from 'mqtt';
import { afterAll } from 'vitest';
import { takeAnswers } from '../commands/answers.ts';
import { type DispatcherOptions, startDispatcher } from '../commands/dispatcher.ts';
import { createPayloadDecoder } from '../decoders/payload-decoder.ts';
import type { DownlinkCarrier } from '../networks/downlinks.ts';
import type { Attempts } from '../networks/mqtt/attempts.ts';
import { MqttBroker } from '../networks/mqtt/broker.ts';
import { mqttCarrier } from '../networks/mqtt/carrier.ts';
import { listenPlain, listenPrivate } from '../networks/mqtt/listeners.ts';
import { joinRegistry } from '../platform/process-registry.ts';
import { registerDevice } from '../roles/register-device.ts';
import { findReader } from '../roles/user-reader.ts';
import { announceBroker } from '../uplinks/brokers.ts';
import { createDirectory } from '../uplinks/directory.ts';
import { keepPresence } from '../uplinks/presence.ts';
import { type UplinkOptions, Uplinks } from '../uplinks/uplinks.ts';
import type { MadeDevice } from './fleet.ts';
import { servicesOf } from './live-server.ts';
import type { TestApp } from './test-app.ts';

/** A broker in this process, on the database of an app, listening on a port of its own and behind the app's `/mqtt`. */
export async function testBroker(app: TestApp, options: UplinkOptions = {}, more: { mostConnections?: number } = {}) {
  const services = servicesOf(app);
  const entry = await joinRegistry(services.db, 'ingest', [], services.log);
  const decoder = createPayloadDecoder(services);
  const uplinks = new Uplinks(services, { writer: entry.id, settleMs: 50, decoder, ...options });
  const directory = createDirectory(services, registerDevice(services));
  const presence = keepPresence(services, entry.id, uplinks);
  const parts = {
    directory,
    uplinks,
    presence,
    findUser: (apiKey: string) => findReader(services, apiKey),
    onAck: takeAnswers(services, (device, points) => uplinks.notePoints(device, points)),
    keptSessions: services.config.mqtt.keptSessions,
    ...more,
    db: services.db,
    log: services.log,
  };
  const broker = await MqttBroker.start(parts);
  const others: MqttBroker[] = [];
  const accept = broker.accept.bind(broker);
  const [plain, hidden] = [await listenPlain('127.0.0.1', 0, accept), await listenPrivate(accept)];
  await announceBroker(services.db, entry.id, { address: null, tls_address: null, private_port: hidden.port });
  const clients: MqttClient[] = [];
  let dispatcher: ReturnType<typeof startDispatcher> | undefined;
  afterAll(async () => {
    for (const client of clients) client.end(true);
    for (const each of [broker, ...others]) await each.close();
    await Promise.all([plain.close(), hidden.close()]);
    await dispatcher?.stop();
    await presence.stop();
    await uplinks.stop();
    await decoder.stop();
    await directory.stop();
    await entry.stop();
  });

  const open = (url: string, settings: IClientOptions, onPacket: (packet: Packet) => void = () => {}): Promise<MqttClient> => {
    const client = mqtt.connect(url, { reconnectPeriod: 0, connectTimeout: 60_000, protocolVersion: 4, ...settings });
    clients.push(client);
    client.on('packetreceive', onPacket);
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
    /** One more broker on the same database, without a port. */
    async another(changes: Partial<typeof parts> & { attempts?: Attempts }): Promise<MqttBroker> {
      const other = await MqttBroker.start({ ...parts, ...changes });
      others.push(other);
      return other;
    },
    uplinks,
    presence,
    directory,
    /** Starts handing over commands. */
    startDispatcher(options: DispatcherOptions = {}, others: DownlinkCarrier[] = []) {
      dispatcher = startDispatcher(services, entry.id, [mqttCarrier(broker), ...others], { sweepMs: 50, ...options });
      return dispatcher;
    },
    open: (settings: IClientOptions) => open(`mqtt://127.0.0.1:${plain.port}`, settings),
    device: (device: MadeDevice, settings: IClientOptions = {}, onPacket?: (packet: Packet) => void) =>
      open(`mqtt://127.0.0.1:${plain.port}`, { ...credentials(device), ...settings }, onPacket),
    overWebSocket: (device: MadeDevice) => open(`${app.origin.replace('http', 'ws')}/mqtt`, credentials(device)),
  };
}
