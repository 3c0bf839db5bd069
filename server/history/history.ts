import { nobody } from '@telltale/domain/access/identity.ts';
import { Gauge } from 'prom-client';
import { type Ctx, createCtx, type Services } from '../platform/context.ts';
import { metrics } from '../platform/http/metrics.ts';
import type { Singleton } from '../platform/jobs/lease.ts';
import { hasOtherProcesses, isNoting, readBacklog, renewIotData, startNoting, stopNoting } from './outbox.store.ts';
import { Shipper } from './shipper.ts';

/** Before the roles start: with `CLICKHOUSE_URL` every change of a reading is noted for ClickHouse, without it none is. */
export async function prepareHistory(ctx: Ctx): Promise<void> {
  const isWanted = ctx.config.clickhouseUrl !== undefined;
  if (isWanted === (await isNoting(ctx.db))) return;
  if (!isWanted && (await hasOtherProcesses(ctx.db))) {
    ctx.log.warn('CLICKHOUSE_URL is not set here, but other processes use it: set it for all of them.');
    return;
  }
  await ctx.transaction(async (tx) => {
    await (isWanted ? startNoting(tx.db) : stopNoting(tx.db));
    await renewIotData(tx.db);
  });
}

const waiting = new Gauge({
  name: 'telltale_history_waiting_readings',
  help: 'Readings that wait for ClickHouse.',
  registers: [metrics],
});
const waitingSeconds = new Gauge({
  name: 'telltale_history_waiting_seconds',
  help: 'How long the reading that waits longest for ClickHouse has been waiting.',
  registers: [metrics],
});

export async function readHistoryMetrics({ config, db }: Ctx): Promise<void> {
  if (config.clickhouseUrl === undefined) return;
  const { points, seconds } = await readBacklog(db);
  waiting.set(points);
  waitingSeconds.set(seconds);
}

/** The work of the process that copies readings to ClickHouse. */
export function historyDuties(services: Services): Singleton[] {
  const { clickhouseUrl } = services.config;
  if (clickhouseUrl === undefined) return [];
  const shipper = new Shipper(clickhouseUrl);
  return [{ name: 'telemetry.history', everyMs: 500, run: async () => void (await shipper.ship(createCtx(services, nobody).db)) }];
}
