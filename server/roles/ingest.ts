import { hasPermission } from '@telltale/domain/access/permissions.ts';
import { shownHost } from '../config.ts';
import { MqttBroker } from '../networks/mqtt/broker.ts';
import { listenHooks } from '../networks/mqtt/hooks.ts';
import { type Listener, listenPlain, listenPrivate, listenTls } from '../networks/mqtt/listeners.ts';
import type { UserReader } from '../networks/mqtt/principal.ts';
import type { Services } from '../platform/context.ts';
import { runSingletons } from '../platform/jobs/lease.ts';
import { joinRegistry } from '../platform/process-registry.ts';
import type { RoleContext, StartRole } from '../platform/role.ts';
import { createServices } from '../services.ts';
import { findPersonByKey } from '../session/sessions.store.ts';
import { keepAcks } from '../uplinks/acks.ts';
import { announceBroker, reportBroker } from '../uplinks/brokers.ts';
import { createDirectory } from '../uplinks/directory.ts';
import { keeperDuties } from '../uplinks/keeper.ts';
import { keepPresence } from '../uplinks/presence.ts';
import { Uplinks } from '../uplinks/uplinks.ts';
import { registerDevice } from './register-device.ts';

const announceEveryMs = 5000;

/** Where devices report: the broker, and what keeps telemetry in order. */
export const start: StartRole = async (context) => {
  const { config, databaseUrl, secretKey, log } = context;
  const { services, close } = createServices({ databaseUrl, config, secretKey, log, name: 'ingest', connections: 10 });
  const entry = await joinRegistry(services.db, 'ingest', [], log);
  const uplinks = new Uplinks(services, { writer: entry.id });
  await uplinks.partitions.makeAhead();
  const duties = keeperDuties(services, uplinks);
  const keeper = runSingletons(services.db, entry.id, duties, log);
  const broker = isBrokerWanted(context) ? await openBroker(context, services, uplinks, entry.id) : undefined;
  return {
    async stop() {
      await broker?.stop();
      await uplinks.stop();
      await keeper.stop();
      await entry.stop();
      await close();
    },
  };
};

const isBrokerWanted = ({ mqttPort, mqttTlsPort }: RoleContext) => mqttPort !== undefined || mqttTlsPort !== undefined;

async function openBroker(context: RoleContext, services: Services, uplinks: Uplinks, processId: string) {
  const { config, mqttPort, mqttTlsPort, log } = context;
  const { host, tls } = config.mqtt;
  const directory = createDirectory(services, registerDevice(services));
  const presence = keepPresence(services, processId, uplinks);
  const broker = await MqttBroker.start({
    directory,
    uplinks,
    presence,
    findUser: (apiKey) => findReader(services, apiKey),
    onAck: keepAcks(services),
    db: services.db,
    log,
  });
  const accept = broker.accept.bind(broker);
  const listeners: Listener[] = [await listenPrivate(accept)];
  if (mqttPort !== undefined) listeners.push(await listenPlain(host, mqttPort, accept));
  if (mqttTlsPort !== undefined && tls?.cert && tls.key)
    listeners.push(await listenTls(host, { port: mqttTlsPort, cert: tls.cert, key: tls.key }, accept, log));
  const findUser = (apiKey: string) => findReader(services, apiKey);
  if (config.mqtt.hooks) listeners.push(await listenHooks(config.mqtt.hooks, { directory, findUser, log }));
  const announce = () =>
    announceBroker(services.db, processId, {
      address: mqttPort === undefined ? null : `mqtt://${shownHost(host)}:${mqttPort}`,
      tls_address: mqttTlsPort === undefined ? null : `mqtts://${shownHost(host)}:${mqttTlsPort}`,
      private_port: listeners[0]?.port ?? 0,
    });
  await announce();
  const timer = setInterval(
    () =>
      announce()
        .then(() => reportBroker(services.db, processId, broker))
        .catch(() => {}),
    announceEveryMs,
  );
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(listeners.map((listener) => listener.close()));
      await broker.close();
      await presence.stop();
      await directory.stop();
    },
  };
}

async function findReader({ db, secrets }: Services, apiKey: string): Promise<UserReader | undefined> {
  const person = await findPersonByKey(db, secrets.hash('api key', apiKey));
  return person && { id: person.id, mayView: hasPermission(person.permissions, 'view_channel') };
}
