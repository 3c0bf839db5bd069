import { nobody } from '@telltale/domain/access/identity.ts';
import { useEncoder } from '../commands/encoder.ts';
import { keepIotDataIn } from '../connectors/iot-data.ts';
import { createPayloadDecoder } from '../decoders/payload-decoder.ts';
import { ExecutorPool } from '../executor/pool.ts';
import { historyDuties } from '../history/history.ts';
import { jobDefinitions, upkeep } from '../jobs.ts';
import { createCtx } from '../platform/context.ts';
import { queues } from '../platform/jobs/define.ts';
import { startJobRunner } from '../platform/jobs/runner.ts';
import { joinRegistry } from '../platform/process-registry.ts';
import type { StartRole } from '../platform/role.ts';
import { bindReactions } from '../reactions.ts';
import { createServices } from '../services.ts';
import { commandEncoder } from './command-encoder.ts';

/** Query execution, notifications and periodic work. */
export const start: StartRole = async ({ config, databaseUrl, secretKey, port, log }) => {
  const { services, close } = createServices({
    databaseUrl,
    config: { ...config, port },
    secretKey,
    log,
    name: 'worker',
    connections: 20,
  });
  bindReactions();
  keepIotDataIn(config.clickhouseUrl === undefined ? 'postgres' : 'clickhouse');
  const decoder = createPayloadDecoder(services);
  useEncoder(services, commandEncoder(decoder));
  const entry = await joinRegistry(services.db, 'worker', [...queues], log);
  const singletons = upkeep.map(({ name, everyMs, run }) => ({
    name,
    everyMs,
    run: async () => void (await run(createCtx(services, nobody))),
  }));
  const executors = new ExecutorPool({ filesFolder: config.filesFolder, allowPrivate: config.allowPrivate }, log, 8);
  const runner = startJobRunner({
    services,
    databaseUrl,
    entry,
    definitions: jobDefinitions(executors),
    singletons: [...singletons, ...historyDuties(services)],
  });
  return {
    async stop() {
      await runner.stop();
      await executors.close();
      await decoder.stop();
      await entry.stop();
      await close();
    },
  };
};
