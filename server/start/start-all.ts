import { flushCompileCache } from 'node:module';
import { type Config, readConfig, shownHost } from '../config.ts';
import { demoPeople } from '../demo/people.ts';
import { bundleFolder } from '../platform/bundle.ts';
import { createLogger, type Logger } from '../platform/log.ts';
import { demoRole, type RoleResources } from '../platform/role.ts';
import { bannerText } from './banner.ts';
import { type DataLock, isBeingLeft, lockDataFolder } from './data-lock.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { shownDatabase, waitForExternalPostgres } from './external-postgres.ts';
import { claimPort } from './ports.ts';
import { showProgress } from './progress.ts';
import { keepRole, type RoleKeeper } from './role-keeper.ts';
import { getSecretKey } from './secret-key.ts';
import { ensureWebBuild } from './web-build.ts';

/** Everything that has been started so far, so that it can be undone at any moment. */
export interface Begun {
  roles: RoleKeeper[];
  /** Aborted when the start is being undone: nothing new may be started then. */
  quit: AbortSignal;
  log?: Logger;
  lock?: DataLock;
  postgres?: Promise<EmbeddedPostgres>;
  bundling?: Promise<void>;
}

interface Database {
  url: string;
  superuserUrl?: string;
  shown: string;
  notes: string[];
}

/** Each step needs those before it; cheap checks that can fail come first. */
export async function startAll(begun: Begun): Promise<void> {
  const given = readConfig();
  const timeoutMs = (await isBeingLeft(given.dataFolder)) ? 20_000 : 500;
  const port = await claimPort({ setting: 'PORT', host: given.host, port: given.port, timeoutMs });
  const mqtt = await claimMqttPorts(given, timeoutMs);
  if (!given.databaseUrl) begun.lock = await lockDataFolder(given.dataFolder);
  const log = createLogger(given.logLevel, { role: 'parent' }, given.logFolder);
  begun.log = log;
  const secretKey = await getSecretKey(given.secretKey, given.dataFolder, log);
  const people = given.isDemo ? demoPeople(secretKey) : [];
  const config = { ...given, firstAdmin: given.firstAdmin ?? people[0] };

  const progress = showProgress();
  const starting = progress.during('database', startDatabase(begun, config, log));
  const pages = config.isDev ? '' : ensureWebBuild(config.dataFolder, (building) => progress.during('pages', building));
  const loading = Promise.all([import('../platform/migrate.ts'), import('./installation.ts'), import('../platform/process-registry.ts')]);
  const [database, webRoot, [{ migrate }, { prepareInstallation }, { markProcessDead }]] = await Promise.all([starting, pages, loading]);
  const { superuserUrl, url: databaseUrl } = database;
  const prepare = async () => {
    await migrate(databaseUrl, log);
    return prepareInstallation({ databaseUrl, superuserUrl, config, secretKey, log });
  };
  const { setupCode } = await progress.during('migrations', prepare());

  const resources: RoleResources = { databaseUrl, secretKey, port, webRoot, ...mqtt };
  // The report comes sooner than silence would tell; nothing depends on it.
  const onDeath = (pid: number) => void markProcessDead(databaseUrl, pid).catch(() => {});
  await progress.during('roles', Promise.all(begun.roles.map((role) => role.start(resources, log, onDeath))));
  if (config.isDemo) {
    const demo = keepRole(demoRole);
    begun.roles.push(demo);
    await progress.during('demo', demo.start(resources, log, onDeath));
  }
  const address = config.publicUrl ?? `http://${shownHost(config.host)}:${port}`;
  const { shown, notes } = database;
  const startedInMs = performance.now(); // counted from the start of this process
  progress.done();
  console.log(
    bannerText({
      address,
      mqtt: mqttAddresses(config, mqtt),
      dataFolder: config.dataFolder,
      database: shown,
      notes: [...config.notes, ...notes],
      // An operator who configured an administrator knows how to sign in.
      people: given.firstAdmin ? people.slice(1) : people,
      setupCode,
      startedInMs,
    }),
  );
  flushCompileCache(); // a parent that is killed would never write it
  if (!bundleFolder() && !config.isDev) begun.bundling = bundleForNextStart(begun.quit, log);
}

interface MqttPorts {
  mqttPort?: number;
  mqttTlsPort?: number;
}

/** design 3: 0 turns the broker off, `auto` takes a free port. */
async function claimMqttPorts({ mqtt }: Config, timeoutMs: number): Promise<MqttPorts> {
  const ports: MqttPorts = {};
  const claim = (setting: string, port: number) => claimPort({ setting, hostSetting: 'MQTT_HOST', host: mqtt.host, port, timeoutMs });
  if (mqtt.port !== 0) ports.mqttPort = await claim('MQTT_PORT', mqtt.port === 'auto' ? 0 : mqtt.port);
  if (mqtt.tls) ports.mqttTlsPort = await claim('MQTT_TLS_PORT', mqtt.tls.port);
  return ports;
}

function mqttAddresses({ mqtt }: Config, { mqttPort, mqttTlsPort }: MqttPorts): string[] {
  const host = shownHost(mqtt.host);
  return [...(mqttPort ? [`mqtt://${host}:${mqttPort}`] : []), ...(mqttTlsPort ? [`mqtts://${host}:${mqttTlsPort}`] : [])];
}

async function startDatabase(begun: Begun, { databaseUrl, dataFolder, backendBytes }: Config, log: Logger): Promise<Database> {
  if (databaseUrl) {
    await waitForExternalPostgres(databaseUrl, log);
    return { url: databaseUrl, shown: `PostgreSQL at ${shownDatabase(databaseUrl)}`, notes: [] };
  }
  begun.quit.throwIfAborted();
  begun.postgres = startEmbeddedPostgres({ dataFolder, log, backendBytes });
  const { url, superuserUrl, folder, runsAs, movedTo, adopted } = await begun.postgres;
  const notes: string[] = [];
  if (runsAs) notes.push(`PostgreSQL refuses to be root and runs as ${runsAs}.`);
  if (movedTo) notes.push(`${runsAs} may not enter the data folder, so the database is in ${movedTo}.`);
  if (adopted) notes.push('The last start was killed; its PostgreSQL was still running and has been taken over.');
  return { url, superuserUrl, shown: `embedded PostgreSQL 18 in ${folder}`, notes };
}

/** After the start, for which somebody waits. */
async function bundleForNextStart(quit: AbortSignal, log: Logger): Promise<void> {
  try {
    const { ensureBundle } = await import('./bundle.ts');
    await ensureBundle(quit);
  } catch (error) {
    if (!quit.aborted) log.info({ err: error }, 'the next start loads the sources, which takes longer');
  }
}
