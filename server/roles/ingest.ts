import { nobody } from '@telltale/domain/access/identity.ts';
import { takeAnswers } from '../commands/answers.ts';
import { startDispatcher } from '../commands/dispatcher.ts';
import { useEncoder } from '../commands/encoder.ts';
import { reportDownlinks } from '../commands/progress.ts';
import { schedulerCall } from '../commands/scheduler-call.ts';
import { namedHost, shownHost } from '../config.ts';
import { createPayloadDecoder } from '../decoders/payload-decoder.ts';
import { networkDuties, startNetworks } from '../network-servers/start-networks.ts';
import { externalBrokerCarrier } from '../networks/external-broker/carrier.ts';
import { ExternalBroker } from '../networks/external-broker/external-broker.ts';
import { readExternalBroker } from '../networks/external-broker/settings.ts';
import { MqttBroker } from '../networks/mqtt/broker.ts';
import { mqttCarrier } from '../networks/mqtt/carrier.ts';
import { listenHooks } from '../networks/mqtt/hooks.ts';
import { type Listener, listenPlain, listenPrivate, listenTls } from '../networks/mqtt/listeners.ts';
import { createCtx, type Services } from '../platform/context.ts';
import { runSingletons } from '../platform/jobs/lease.ts';
import { joinRegistry } from '../platform/process-registry.ts';
import type { RoleContext, StartRole } from '../platform/role.ts';
import { bindReactions } from '../reactions.ts';
import { createServices } from '../services.ts';
import { announceBroker, reportBroker, withdrawBroker } from '../uplinks/brokers.ts';
import { createDirectory, type Directory } from '../uplinks/directory.ts';
import { keepPresence } from '../uplinks/presence.ts';
import { telemetryUpkeep } from '../uplinks/telemetry-upkeep.ts';
import { Uplinks } from '../uplinks/uplinks.ts';
import { sweepMatches } from '../uplinks/watchers.ts';
import { claimWriterPhase, releaseWriterPhase } from '../uplinks/writer-phase.ts';
import { commandEncoder } from './command-encoder.ts';
import { registerDevice } from './register-device.ts';
import { uplinkWatchers } from './uplink-watchers.ts';
import { findReader } from './user-reader.ts';

const announceEveryMs = 5000;

/** The role that devices report to: the broker, and the upkeep of telemetry. */
export const start: StartRole = async (context) => {
  const { config, databaseUrl, secretKey, port, log } = context;
  const { services, close } = createServices({ databaseUrl, config: { ...config, port }, secretKey, log, name: 'ingest', connections: 10 });
  bindReactions();
  const entry = await joinRegistry(services.db, 'ingest', [], log);
  services.writerPhase = await claimWriterPhase(services, entry.id);
  const watchers = uplinkWatchers(services);
  const decoder = createPayloadDecoder(services);
  useEncoder(services, commandEncoder(decoder));
  const uplinks = new Uplinks(services, { writer: entry.id, watchers, decoder });
  await uplinks.partitions.makeAhead();
  const duties = [...telemetryUpkeep(services, uplinks, watchers), ...networkDuties(services)];
  const keeper = runSingletons(services.db, entry.id, duties, log);
  // Matches that the previous process left behind are handled before new uplinks.
  await sweepMatches(services, watchers, 0);
  for (const watcher of watchers) watcher.refresh?.();
  await Promise.all(watchers.map((watcher) => watcher.ready?.()));
  const directory = createDirectory(services, registerDevice(services));
  const broker = isBrokerWanted(context) ? await openBroker(context, services, uplinks, directory, entry.id) : undefined;
  const external = openExternalBroker(services, uplinks, directory, entry.id);
  const hooks = await openHooks(services, directory);
  const report = reportDownlinks(createCtx(services, nobody));
  const networks = startNetworks(services, { processId: entry.id, uplinks, directory, report });
  const dispatcher = startDispatcher(services, entry.id, [
    ...(broker ? [mqttCarrier(broker.broker)] : []),
    ...(external ? [externalBrokerCarrier(external.broker)] : []),
    networks.carrier,
  ]);
  return {
    async stop() {
      await networks.stop();
      await hooks?.close();
      await external?.stop();
      await broker?.stop();
      await dispatcher.stop();
      await directory.stop();
      await uplinks.stop();
      for (const watcher of watchers) await watcher.stop?.();
      await decoder.stop();
      await keeper.stop();
      await releaseWriterPhase(services, entry.id).catch(() => {});
      await entry.stop();
      await close();
    },
  };
};

const isBrokerWanted = ({ mqttPort, mqttTlsPort }: RoleContext) => mqttPort !== undefined || mqttTlsPort !== undefined;

async function openBroker(context: RoleContext, services: Services, uplinks: Uplinks, directory: Directory, processId: string) {
  const { config, mqttPort, mqttTlsPort, log } = context;
  const { host, tls } = config.mqtt;
  const presence = keepPresence(services, processId, uplinks);
  const broker = await MqttBroker.start({
    directory,
    uplinks,
    presence,
    findUser: (apiKey) => findReader(services, apiKey),
    onAck: takeAnswers(services, (device, points) => uplinks.notePoints(device, points)),
    keptSessions: config.mqtt.keptSessions,
    db: services.db,
    log,
  });
  const accept = broker.accept.bind(broker);
  const listeners: Listener[] = [await listenPrivate(accept)];
  if (mqttPort !== undefined) listeners.push(await listenPlain(host, mqttPort, accept));
  if (mqttTlsPort !== undefined && tls?.cert && tls.key)
    listeners.push(await listenTls(host, { port: mqttTlsPort, cert: tls.cert, key: tls.key }, accept, log));
  const announce = () =>
    announceBroker(services.db, processId, {
      address: mqttPort === undefined ? null : `mqtt://${namedHost(host)}:${mqttPort}`,
      tls_address: mqttTlsPort === undefined ? null : `mqtts://${namedHost(host)}:${mqttTlsPort}`,
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
    broker,
    async stop() {
      clearInterval(timer);
      for (const listener of listeners) listener.refuse();
      await broker.close();
      await Promise.all(listeners.map((listener) => listener.close()));
      await presence.stop();
    },
  };
}

/** iot-behaviour 1.13: the requests of an external broker, and of the installation's own scheduler. */
async function openHooks(services: Services, directory: Directory): Promise<Listener | undefined> {
  const { config, log } = services;
  const findUser = (apiKey: string) => findReader(services, apiKey);
  return config.mqtt.hooks && listenHooks(config.mqtt.hooks, { directory, findUser, log, sendCommand: schedulerCall(services) });
}

function openExternalBroker(services: Services, uplinks: Uplinks, directory: Directory, processId: string) {
  const { config, db, log } = services;
  if (!config.mqtt.url) return undefined;
  const settings = readExternalBroker(config.mqtt.url, config.mqtt.isShared);
  const presence = keepPresence(services, processId, uplinks);
  const onAck = takeAnswers(services, (device, points) => uplinks.notePoints(device, points));
  const broker = new ExternalBroker(settings, { processId, db, directory, uplinks, presence, onAck, log });
  const { host, port, tls } = settings.address;
  const shown = `${tls ? 'mqtts' : 'mqtt'}://${shownHost(host)}:${port}`;
  const addresses = { address: tls ? null : shown, tls_address: tls ? shown : null, private_port: 0 };
  const announce = () =>
    (broker.connections > 0 ? announceBroker(db, processId, addresses) : withdrawBroker(db, processId)).catch(() => {});
  const stopTelling = broker.onConnected(announce);
  const timer = setInterval(announce, announceEveryMs);
  return {
    broker,
    async stop() {
      clearInterval(timer);
      stopTelling();
      await broker.stop();
      await presence.stop();
    },
  };
}
