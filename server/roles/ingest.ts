import { joinRegistry } from '../platform/process-registry.ts';
import type { StartRole } from '../platform/role.ts';
import { createServices } from '../services.ts';

/** Where devices will report: until the broker opens, it only says that it is there. */
export const start: StartRole = async ({ config, databaseUrl, secretKey, log }) => {
  const { services, close } = createServices({ databaseUrl, config, secretKey, log, name: 'ingest', connections: 10 });
  const entry = await joinRegistry(services.db, 'ingest', [], log);
  return {
    async stop() {
      await entry.stop();
      await close();
    },
  };
};
