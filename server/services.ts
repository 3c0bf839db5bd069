import type pg from 'pg';
import type { Config } from './config.ts';
import type { Services } from './platform/context.ts';
import { createDb, createPool } from './platform/database.ts';
import type { Logger } from './platform/log.ts';
import { createMail } from './platform/mail.ts';
import { ObjectStore } from './platform/object-store.ts';
import { createReadReplica } from './platform/read-replica.ts';
import { createSecrets } from './platform/secrets.ts';

export interface ServicesOptions {
  databaseUrl: string;
  config: Config;
  secretKey: string;
  log: Logger;
  name: string;
  connections: number;
}

/** Creates the services that a role uses for its whole life, and one call that closes them all. */
export function createServices(options: ServicesOptions): { services: Services; pool: pg.Pool; close(): Promise<void> } {
  const pool = createPool(options.databaseUrl, options.name, options.connections, options.log);
  const db = createDb(pool);
  const { readUrl, results } = options.config;
  const replica = readUrl ? createReadReplica(readUrl, db, options.name, Math.ceil(options.connections / 2), options.log) : undefined;
  const services: Services = {
    db,
    config: options.config,
    secrets: createSecrets(options.secretKey),
    mail: createMail(options.config.smtpUrl, options.config.mailFrom),
    log: options.log,
    databaseUrl: options.databaseUrl,
    replica,
    objects: results.url === undefined ? undefined : new ObjectStore(results.url),
  };
  return { services, pool, close: async () => void (await Promise.all([db.destroy(), replica?.stop()])) };
}
