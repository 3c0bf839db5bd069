import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { nobody } from '@telltale/domain/access/identity.ts';
import { readConfig } from '../../server/config.ts';
import { prepareReader } from '../../server/data-sources/prepare-reader.ts';
import { type Ctx, createCtx } from '../../server/platform/context.ts';
import { createLogger } from '../../server/platform/log.ts';
import { createServices } from '../../server/services.ts';
import { startEmbeddedPostgres } from '../../server/start/embedded-postgres.ts';
import { freePort } from '../../server/start/ports.ts';
import { childrenOf } from '../../server/testing/processes.ts';
import { startServer, withDataFolder } from '../server.ts';

export interface Installation {
  ctx: Ctx;
  /** Of the console. */
  url: string;
  /** Where devices connect. */
  port: number;
  databaseUrl: string;
  /** Of the process that started the console. */
  pid: number;
  /** What the ingest process holds of the machine's memory. */
  residentMb(): number;
  /** Starts the console again with these settings as well, on the same database and ports. */
  restart(env: Record<string, string>): Promise<void>;
}

/** A whole console without limits of rates, and a look into its database. */
export const withInstallation = <T>(run: (installation: Installation) => Promise<T>, env: Record<string, string> = {}): Promise<T> =>
  withDataFolder(async (dataFolder) => {
    const log = createLogger('silent');
    const postgres = await startEmbeddedPostgres({ dataFolder, log });
    const [webPort, port] = [await freePort(), await freePort()];
    const secretKey = randomBytes(36).toString('hex');
    const settings = {
      DATABASE_URL: postgres.url,
      MQTT_PORT: String(port),
      TELLTALE_RATE_DEVICE: '0',
      TELLTALE_RATE_CHANNEL: '0',
      TELLTALE_SECRET_KEY: secretKey,
      ...env,
    };
    let server = await startServer(dataFolder, webPort, settings);
    const restart = async (more: Record<string, string>) => {
      await server.stop();
      server = await startServer(dataFolder, webPort, { ...settings, ...more });
    };
    const { services, close } = createServices({
      databaseUrl: postgres.url,
      config: readConfig({}),
      secretKey,
      log,
      name: 'bench',
      connections: 3,
    });
    const residentMb = () => {
      const [ingest = 0] = [server.pid, ...descendants(server.pid)].flatMap((pid) => childrenOf(pid, 'main.ts ingest'));
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${ingest}/status`, 'utf8'))?.[1] ?? 0) / 1024;
    };
    const ctx = createCtx(services, nobody);
    try {
      // The console itself may not make roles here: it does not own this database server.
      await prepareReader(ctx, postgres.superuserUrl);
      return await run({ ctx, url: server.url, port, databaseUrl: postgres.url, pid: server.pid, residentMb, restart });
    } finally {
      await close();
      await server.stop();
      await postgres.stop();
    }
  });

function descendants(pid: number): number[] {
  const children = childrenOf(pid, '');
  return [...children, ...children.flatMap(descendants)];
}
