import type pg from 'pg';
import type { Config } from './config.ts';
import type { Services } from './platform/context.ts';
import { createDb, createPool } from './platform/database.ts';
import type { Logger } from './platform/log.ts';
import { createMail } from './platform/mail.ts';
import { createSecrets } from './platform/secrets.ts';

export interface ServicesOptions {
  databaseUrl: string;
  config: Config;
  secretKey: string;
  log: Logger;
  name: string;
  connections: number;
}

/** What every role needs as long as it lives, and one call that closes it all. */
export function createServices(options: ServicesOptions): { services: Services; pool: pg.Pool; close(): Promise<void> } {
  const pool = createPool(options.databaseUrl, options.name, options.connections, options.log);
  const db = createDb(pool);
  const services: Services = {
    db,
    config: options.config,
    secrets: createSecrets(options.secretKey),
    mail: createMail(options.config.smtpUrl, options.config.mailFrom),
    log: options.log,
    databaseUrl: options.databaseUrl,
  };
  return { services, pool, close: () => db.destroy() };
}
