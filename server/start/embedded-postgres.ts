import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../platform/log.ts';
import { createBackoff } from './backoff.ts';
import { lockDataFolder } from './data-lock.ts';
import { getPostgresPackage, type PostgresBinaries, prepareBinaries } from './postgres-binaries.ts';
import { ensureCluster, removeDrafts } from './postgres-cluster.ts';
import { prepareDatabase } from './postgres-database.ts';
import { chooseClusterPlace } from './postgres-place.ts';
import { stopServer } from './postgres-process.ts';
import { findOrStartServer, type Server, type ServerOptions, startServer } from './postgres-server.ts';
import { isAlive } from './process-identity.ts';

export interface EmbeddedPostgres {
  /** As the application owner. */
  readonly url: string;
  /** For start-up work only: grants and revokes of other roles. */
  readonly superuserUrl: string;
  readonly pid: number;
  readonly port: number;
  readonly folder: string;
  /** The user PostgreSQL runs as when that is not ourselves. */
  readonly runsAs?: string;
  /** The system folder that holds the cluster when it could not stay in the data folder. */
  readonly movedTo?: string;
  /** An earlier parent was killed and its server went on. */
  readonly adopted: boolean;
  stop(): Promise<void>;
}

/** The caller holds the data folder (data-lock.ts): two parents would both think the server is theirs. */
export async function startEmbeddedPostgres(options: {
  dataFolder: string;
  log?: Logger;
  /** False for tests: quicker, and a power cut may cost everything. */
  durable?: boolean;
  /** Another place of the PostgreSQL package than npm's. */
  binaries?: PostgresBinaries;
}): Promise<EmbeddedPostgres> {
  const { dataFolder, log, durable = true } = options;
  const place = await chooseClusterPlace(dataFolder);
  // A copied data folder names the same moved cluster as its original.
  const lock = place.movedTo ? await lockDataFolder(place.movedTo) : undefined;
  try {
    await removeDrafts(place.home);
    const binaries = await prepareBinaries(options.binaries ?? (await getPostgresPackage()), place.home, place.user);
    await ensureCluster(place, binaries, durable);
    const logFile = join(await realpath(dataFolder), 'postgres.log');
    const serverOptions = { place, binaries, durable, logFile, log };
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

/** A server that dies is started again on its port, so that every pool finds it by connecting anew. */
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
