import { nobody } from '@telltale/domain/access/identity.ts';
import { ExecutorPool } from '../executor/pool.ts';
import { jobDefinitions, upkeep } from '../jobs.ts';
import { createCtx } from '../platform/context.ts';
import { queues } from '../platform/jobs/define.ts';
import { startJobRunner } from '../platform/jobs/runner.ts';
import { joinRegistry } from '../platform/process-registry.ts';
import type { StartRole } from '../platform/role.ts';
import { createServices } from '../services.ts';

/** Query execution, notifications and periodic work. */
export const start: StartRole = async ({ config, databaseUrl, secretKey, port, log }) => {
  const { services, pool, close } = createServices({
    databaseUrl,
    config: { ...config, port },
    secretKey,
    log,
    name: 'worker',
    connections: 20,
  });
  const entry = await joinRegistry(services.db, 'worker', [...queues], log);
  const singletons = upkeep.map(({ name, everyMs, run }) => ({
    name,
    everyMs,
    run: async () => void (await run(createCtx(services, nobody))),
  }));
  const executors = new ExecutorPool({ filesFolder: config.filesFolder, allowPrivate: config.allowPrivate }, log, 8);
  const runner = await startJobRunner({ services, databaseUrl, pool, entry, definitions: jobDefinitions(executors), singletons });
  return {
    async stop() {
      await runner.stop();
      await executors.close();
      await entry.stop();
      await close();
    },
  };
};
