import type { Config } from '../../config.ts';
import { createLogger } from '../../platform/log.ts';
import { lockDataFolder } from '../data-lock.ts';
import { startEmbeddedPostgres } from '../embedded-postgres.ts';
import { waitForExternalPostgres } from '../external-postgres.ts';
import { prepareDatabase } from '../postgres-database.ts';
import { chooseClusterPlace } from '../postgres-place.ts';
import { findServer } from '../postgres-process.ts';
import { StartError } from '../start-error.ts';

export interface OpenPlace {
  url: string;
  close(): Promise<void>;
}

/** Opens the database of this installation, running or stopped: a stopped one is started temporarily. */
export async function openDatabase(config: Config, mayRun: boolean): Promise<OpenPlace> {
  const log = createLogger('error', { role: 'backup' });
  if (config.databaseUrl) {
    await waitForExternalPostgres(config.databaseUrl, log);
    return { url: config.databaseUrl, close: async () => {} };
  }
  const lock = await lockDataFolder(config.dataFolder).catch((error: unknown) => {
    if (mayRun && error instanceof StartError) return undefined;
    throw error;
  });
  if (!lock) return { url: await runningUrl(config.dataFolder), close: async () => {} };
  try {
    const server = await startEmbeddedPostgres({ dataFolder: config.dataFolder, log, backendBytes: 0 });
    return {
      url: server.url,
      close: async () => {
        await server.stop();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The database URL of the console that holds the data folder. */
async function runningUrl(dataFolder: string): Promise<string> {
  const place = await chooseClusterPlace(dataFolder);
  const server = await findServer(place.folder);
  if (!server) throw new StartError(`The console of ${dataFolder} is starting or stopping. Please try again in a moment.`);
  return (await prepareDatabase(server.port, place.credentials)).url;
}
