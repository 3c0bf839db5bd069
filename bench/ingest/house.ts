import { readFileSync } from 'node:fs';
import { nobody } from '@telltale/domain/access/identity.ts';
import { readConfig } from '../../server/config.ts';
import { type Ctx, createCtx } from '../../server/platform/context.ts';
import { createLogger } from '../../server/platform/log.ts';
import { createServices } from '../../server/services.ts';
import { startEmbeddedPostgres } from '../../server/start/embedded-postgres.ts';
import { childrenOf } from '../../server/testing/processes.ts';
import { freePort, startServer, withDataFolder } from '../server.ts';

export interface House {
  ctx: Ctx;
  /** Where devices connect. */
  port: number;
  databaseUrl: string;
  /** What the ingest process holds of the machine's memory. */
  residentMb(): number;
}

/** A whole console without limits of rates, and a look into its database. */
export const withIngest = <T>(run: (house: House) => Promise<T>): Promise<T> =>
  withDataFolder(async (dataFolder) => {
    const log = createLogger('silent');
    const postgres = await startEmbeddedPostgres({ dataFolder, log });
    const [webPort, port] = [await freePort(), await freePort()];
    const settings = { DATABASE_URL: postgres.url, MQTT_PORT: String(port), TELLTALE_RATE_DEVICE: '0', TELLTALE_RATE_CHANNEL: '0' };
    const server = await startServer(dataFolder, webPort, settings);
    const [ingest = 0] = [server.pid, ...descendants(server.pid)].flatMap((pid) => childrenOf(pid, 'main.ts ingest'));
    const { services, close } = createServices({
      databaseUrl: postgres.url,
      config: readConfig({}),
      secretKey: 'x'.repeat(48),
      log,
      name: 'bench',
      connections: 3,
    });
    const residentMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${ingest}/status`, 'utf8'))?.[1] ?? 0) / 1024;
    try {
      return await run({ ctx: createCtx(services, nobody), port, databaseUrl: postgres.url, residentMb });
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
