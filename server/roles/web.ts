import { createApp } from '../app.ts';
import { watchJobs } from '../platform/jobs/watch.ts';
import { joinRegistry } from '../platform/process-registry.ts';
import type { StartRole } from '../platform/role.ts';
import { createServices } from '../services.ts';

/** Pages, API and live socket. */
export const start: StartRole = async ({ config, databaseUrl, secretKey, port, webRoot, log }) => {
  const { services, close } = createServices({ databaseUrl, config: { ...config, port }, secretKey, log, name: 'web', connections: 20 });
  const jobWatch = watchJobs(databaseUrl, services.db, log);
  const { server } = createApp({ ...services, jobWatch }, webRoot);
  const entry = await joinRegistry(services.db, 'web', [], log);
  await server.listen({ host: config.host, port });
  return {
    async stop() {
      await server.close();
      await jobWatch.stop();
      await entry.stop();
      await close();
    },
  };
};
