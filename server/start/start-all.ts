import { flushCompileCache } from 'node:module';
import { type Config, readConfig, shownHost } from '../config.ts';
import { createLogger, type Logger } from '../platform/log.ts';
import type { RoleResources } from '../platform/role.ts';
import { bannerText } from './banner.ts';
import { type DataLock, isBeingLeft, lockDataFolder } from './data-lock.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { shownDatabase, waitForExternalPostgres } from './external-postgres.ts';
import { claimPort } from './ports.ts';
import type { RoleKeeper } from './role-keeper.ts';
import { getSecretKey } from './secret-key.ts';
import { ensureWebBuild } from './web-build.ts';

/** What has been begun so far, so that it can be undone at any moment. */
export interface Begun {
  roles: RoleKeeper[];
  /** Raised when what has been begun is being undone: nothing new may be begun then. */
  quit: AbortSignal;
  log?: Logger;
  lock?: DataLock;
  postgres?: Promise<EmbeddedPostgres>;
}

interface Database {
  url: string;
  superuserUrl?: string;
  shown: string;
  notes: string[];
}

/** Each step needs those before it; what can refuse to start comes first and costs nothing. */
export async function startAll(begun: Begun): Promise<void> {
  const config = readConfig();
  const patienceMs = (await isBeingLeft(config.dataFolder)) ? 20_000 : 500;
  const port = await claimPort({ setting: 'PORT', host: config.host, port: config.port, patienceMs });
  const mqtt = await claimMqttPorts(config, patienceMs);
  if (!config.databaseUrl) begun.lock = await lockDataFolder(config.dataFolder);
  const log = createLogger(config.logLevel, { role: 'parent' }, config.logFolder);
  begun.log = log;
  const secretKey = await getSecretKey(config.secretKey, config.dataFolder, log);

  const starting = startDatabase(begun, config, log);
  const pages = config.isDev ? '' : ensureWebBuild(config.dataFolder, log);
  const loading = Promise.all([import('../platform/migrate.ts'), import('./installation.ts')]);
  const [database, webRoot, [{ migrate }, { prepareInstallation }]] = await Promise.all([starting, pages, loading]);
  await migrate(database.url, log);
  const { superuserUrl, url: databaseUrl } = database;
  const { setupCode } = await prepareInstallation({ databaseUrl, superuserUrl, config, secretKey, log });

  const resources: RoleResources = { databaseUrl, secretKey, port, webRoot, ...mqtt };
  const onDeath = (pid: number) => void reportDeath(databaseUrl, pid);
  await Promise.all(begun.roles.map((role) => role.start(resources, log, onDeath)));
  const address = config.publicUrl ?? `http://${shownHost(config.host)}:${port}`;
  const { shown, notes } = database;
  const startedInMs = performance.now(); // counted from the start of this process
  console.log(
    bannerText({
      address,
      mqtt: mqttAddresses(config, mqtt),
      dataFolder: config.dataFolder,
      database: shown,
      notes: [...config.notes, ...notes],
      setupCode,
      startedInMs,
    }),
  );
  flushCompileCache(); // a parent that is killed would never write it
}

interface MqttPorts {
  mqttPort?: number;
  mqttTlsPort?: number;
}

/** design 3: 0 turns the broker off, `auto` takes a port that is free. */
async function claimMqttPorts({ mqtt }: Config, patienceMs: number): Promise<MqttPorts> {
  const ports: MqttPorts = {};
  const claim = (setting: string, port: number) => claimPort({ setting, hostSetting: 'MQTT_HOST', host: mqtt.host, port, patienceMs });
  if (mqtt.port !== 0) ports.mqttPort = await claim('MQTT_PORT', mqtt.port === 'auto' ? 0 : mqtt.port);
  if (mqtt.tls) ports.mqttTlsPort = await claim('MQTT_TLS_PORT', mqtt.tls.port);
  return ports;
}

function mqttAddresses({ mqtt }: Config, { mqttPort, mqttTlsPort }: MqttPorts): string[] {
  const host = shownHost(mqtt.host);
  return [...(mqttPort ? [`mqtt://${host}:${mqttPort}`] : []), ...(mqttTlsPort ? [`mqtts://${host}:${mqttTlsPort}`] : [])];
}

async function startDatabase(begun: Begun, { databaseUrl, dataFolder }: Config, log: Logger): Promise<Database> {
  if (databaseUrl) {
    await waitForExternalPostgres(databaseUrl, log);
    return { url: databaseUrl, shown: `PostgreSQL at ${shownDatabase(databaseUrl)}`, notes: [] };
  }
  begun.quit.throwIfAborted();
  begun.postgres = startEmbeddedPostgres({ dataFolder, log });
  const { url, superuserUrl, folder, runsAs, movedTo, adopted } = await begun.postgres;
  const notes: string[] = [];
  if (runsAs) notes.push(`PostgreSQL refuses to be root and runs as ${runsAs}.`);
  if (movedTo) notes.push(`${runsAs} may not enter the data folder, so the database is in ${movedTo}.`);
  if (adopted) notes.push('The last start was killed; its PostgreSQL was still running and has been taken over.');
  return { url, superuserUrl, shown: `embedded PostgreSQL 18 in ${folder}`, notes };
}

/** Only sooner than by its silence: nothing depends on this getting through. */
async function reportDeath(databaseUrl: string, pid: number): Promise<void> {
  const { markProcessDead } = await import('../platform/process-registry.ts');
  await markProcessDead(databaseUrl, pid).catch(() => {});
}
