import { rm } from 'node:fs/promises';
import { readConfig } from '../config.ts';
import { createLogger } from '../platform/log.ts';
import { migrate } from '../platform/migrate.ts';
import { createServices } from '../services.ts';
import { startEmbeddedPostgres } from '../start/embedded-postgres.ts';
import { makeDataFolder } from './data-folder.ts';

/** A migrated PostgreSQL in a folder of its own, for tests that kill processes: the shared one of other tests must not go down. */
export async function startOwnDatabase(name: string, connections: number) {
  const dataFolder = await makeDataFolder(name);
  const log = createLogger('silent');
  const postgres = await startEmbeddedPostgres({ dataFolder, log });
  await migrate(postgres.url, log);
  const { services, close } = createServices({
    databaseUrl: postgres.url,
    config: readConfig({}),
    secretKey: 'x'.repeat(48),
    log,
    name,
    connections,
  });
  return {
    dataFolder,
    postgres,
    services,
    async stop() {
      await close();
      await postgres.stop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}
