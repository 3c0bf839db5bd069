import { rm } from 'node:fs/promises';
import pg from 'pg';
import { createLogger } from '../platform/log.ts';
import { migrate } from '../platform/migrate.ts';
import { startEmbeddedPostgres } from '../start/embedded-postgres.ts';
import { makeDataFolder } from './data-folder.ts';

export interface TestPostgres {
  dataFolder: string;
  url: string;
  superuserUrl: string;
  stop(): Promise<void>;
}

/** A real server of our own in a temporary folder, migrated once; test files clone its database. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const dataFolder = await makeDataFolder('test');
  const log = createLogger('silent');
  const server = await startEmbeddedPostgres({ dataFolder, log, durable: false });
  await migrate(server.url, log).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  return {
    dataFolder,
    url: server.url,
    superuserUrl: server.superuserUrl,
    async stop() {
      await server.stop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

const withDatabase = (url: string, name: string) => {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.toString();
};

async function asSuperuser(superuserUrl: string, text: string): Promise<void> {
  const client = new pg.Client(withDatabase(superuserUrl, 'postgres'));
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** A copy of the migrated database of its own, made in tens of milliseconds. */
export async function cloneDatabase(
  { url, superuserUrl }: Pick<TestPostgres, 'url' | 'superuserUrl'>,
  name: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  const template = new URL(url).pathname.slice(1);
  const owner = decodeURIComponent(new URL(url).username);
  await asSuperuser(superuserUrl, `create database ${name} template ${template} owner ${owner} strategy file_copy`);
  return { url: withDatabase(url, name), drop: () => asSuperuser(superuserUrl, `drop database if exists ${name} with (force)`) };
}
