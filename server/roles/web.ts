import { createApp } from '../app.ts';
import { watchJobs } from '../platform/jobs/watch.ts';
import { joinRegistry } from '../platform/process-registry.ts';
import type { StartRole } from '../platform/role.ts';
import { endSilentConnections } from '../platform/silent-connections.ts';
import { createServices } from '../services.ts';
import { claimWriterPhase, releaseWriterPhase } from '../uplinks/writer-phase.ts';

/** Pages, API and live socket. */
export const start: StartRole = async ({ config, databaseUrl, secretKey, port, webRoot, log }) => {
  const options = { databaseUrl, config: { ...config, port }, secretKey, log, name: 'web', connections: 20 };
  const { services, pool, close } = createServices(options);
  const stopChecks = endSilentConnections(pool, databaseUrl, log);
  const jobWatch = watchJobs(databaseUrl, services.db, log);
  const entry = await joinRegistry(services.db, 'web', [], log);
  const writerPhase = await claimWriterPhase(services, entry.id);
  const { server } = createApp({ ...services, jobWatch, writerPhase }, webRoot);
  await server.listen({ host: config.host, port });
  return {
    async stop() {
      await server.close();
      await jobWatch.stop();
      await releaseWriterPhase(services, entry.id).catch(() => {});
      await entry.stop();
      stopChecks();
      await close();
    },
  };
};
