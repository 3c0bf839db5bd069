import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../platform/log.ts';
import { createBackoff } from './backoff.ts';
import { lockDataFolder } from './data-lock.ts';
import { usualBackendBytes } from './memory-bound.ts';
import { getPostgresPackage, type PostgresBinaries, prepareBinaries } from './postgres-binaries.ts';
import { ensureCluster, removeDrafts } from './postgres-cluster.ts';
import { prepareDatabase } from './postgres-database.ts';
import { chooseClusterPlace } from './postgres-place.ts';
import { stopServer } from './postgres-process.ts';
import { findOrStartServer, type Server, type ServerOptions, startServer } from './postgres-server.ts';
import { isAlive } from './process-identity.ts';

export interface EmbeddedPostgres {
  /** The URL of the application owner. */
  readonly url: string;
  /** The superuser's URL, for start-up work only: grants and revokes of other roles. */
  readonly superuserUrl: string;
  readonly pid: number;
  readonly port: number;
  readonly folder: string;
  /** The user PostgreSQL runs as when that is not our own. */
  readonly runsAs?: string;
  /** The system folder that holds the cluster when it could not stay in the data folder. */
  readonly movedTo?: string;
  /** An earlier parent was killed and its server went on. */
  readonly adopted: boolean;
  stop(): Promise<void>;
}

/** The caller holds the lock of the data folder (data-lock.ts): two parents would both manage the server. */
export async function startEmbeddedPostgres(options: {
  dataFolder: string;
  log?: Logger;
  /** False for tests: quicker, but a power cut may lose everything. */
  durable?: boolean;
  /** The memory limit of one of its processes; 0 means no limit. */
  backendBytes?: number;
  /** Another place of the PostgreSQL package than npm's. */
  binaries?: PostgresBinaries;
}): Promise<EmbeddedPostgres> {
  const { dataFolder, log, durable = true, backendBytes = usualBackendBytes() } = options;
  const place = await chooseClusterPlace(dataFolder);
  // A copied data folder names the same moved cluster as its original, so that cluster is locked, too.
  const lock = place.movedTo ? await lockDataFolder(place.movedTo) : undefined;
  try {
    await removeDrafts(place.home);
    const binaries = await prepareBinaries(options.binaries ?? (await getPostgresPackage()), place.home, place.user);
    await ensureCluster(place, binaries, durable);
    const logFile = join(await realpath(dataFolder), 'postgres.log');
    const serverOptions = { place, binaries, durable, backendBytes, logFile, log };
    const server = await findOrStartServer(serverOptions);
    const keeper = keepRunning(server, serverOptions);
    const urls = await prepareDatabase(server.port, place.credentials).catch(async (error: unknown) => {
      await keeper.stop();
      throw error;
    });
    return {
      ...urls,
      get pid() {
        return keeper.current().pid;
      },
      port: server.port,
      folder: place.folder,
      runsAs: place.user?.name,
      movedTo: place.movedTo,
      adopted: server.adopted,
      stop: async () => {
        await keeper.stop();
        await lock?.release();
      },
    };
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

/** Restarts a server that dies on the same port, so that every pool can reconnect. */
function keepRunning(first: Server, options: ServerOptions) {
  let server = first;
  let restart: Promise<void> | undefined;
  const quit = new AbortController();
  const backoff = createBackoff();
  backoff.started();
  const watch = setInterval(() => {
    if (!restart && !isAlive(server.pid)) restart = bringBack().finally(() => (restart = undefined));
  }, 200);
  watch.unref();

  async function bringBack(): Promise<void> {
    const waitMs = backoff.nextWaitMs();
    options.log?.error({ pid: server.pid, retry_ms: waitMs }, 'PostgreSQL ended unexpectedly and is started again');
    await sleep(waitMs, undefined, { ref: false, signal: quit.signal }).catch(() => {});
    if (quit.signal.aborted) return;
    try {
      server = await startServer(options, server.port);
      backoff.started();
      options.log?.info({ pid: server.pid }, 'PostgreSQL is back');
    } catch (error) {
      options.log?.error({ err: error }, 'PostgreSQL could not be started again');
    }
  }

  return {
    current: () => server,
    stop: async () => {
      quit.abort();
      clearInterval(watch);
      await restart;
      if (!(await stopServer(server.pid))) options.log?.error({ pid: server.pid }, 'PostgreSQL does not stop');
    },
  };
}
