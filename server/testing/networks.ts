import { nobody } from '@telltale/domain/access/identity.ts';
import { sql } from 'kysely';
import { afterAll } from 'vitest';
import { startDispatcher } from '../commands/dispatcher.ts';
import { reportDownlinks } from '../commands/progress.ts';
import { createPayloadDecoder } from '../decoders/payload-decoder.ts';
import { startNetworks } from '../network-servers/start-networks.ts';
import type { DownlinkEvent } from '../networks/downlinks.ts';
import { createCtx } from '../platform/context.ts';
import { joinRegistry } from '../platform/process-registry.ts';
import { registerDevice } from '../roles/register-device.ts';
import { createDirectory } from '../uplinks/directory.ts';
import { type UplinkOptions, Uplinks } from '../uplinks/uplinks.ts';
import { servicesOf } from './live-server.ts';
import type { TestApp } from './test-app.ts';

/** The part of an ingest process that holds networks, on the database of an app; `sends` moves commands as well. */
export async function testNetworks(app: TestApp, { sends = false, ...options }: UplinkOptions & { sends?: boolean } = {}) {
  const services = servicesOf(app);
  const reported: DownlinkEvent[] = [];
  const begin = async () => {
    const entry = await joinRegistry(services.db, 'ingest', [], services.log);
    const decoder = createPayloadDecoder(services);
    const uplinks = new Uplinks(services, { writer: entry.id, settleMs: 50, decoder, ...options });
    const directory = createDirectory(services, registerDevice(services));
    const networks = startNetworks(services, {
      processId: entry.id,
      uplinks,
      directory,
      report: async (events) => {
        reported.push(...events);
        if (sends) await reportDownlinks(createCtx(services, nobody))(events);
      },
      tickMs: 100,
      backoffMs: { first: 50, most: 200 },
    });
    const dispatcher = sends ? startDispatcher(services, entry.id, [networks.carrier], { sweepMs: 50 }) : undefined;
    return {
      ...networks,
      directory,
      async stop() {
        await networks.stop();
        await dispatcher?.stop();
        await uplinks.stop();
        await decoder.stop();
        await directory.stop();
        await entry.stop();
      },
    };
  };
  let running = await begin();
  afterAll(() => running.stop());
  return {
    reported,
    get carrier() {
      return running.carrier;
    },
    get directory() {
      return running.directory;
    },
    async restart() {
      await running.stop();
      running = await begin();
    },
    stop: () => running.stop(),
    start: async () => {
      running = await begin();
    },
  };
}

/** The stored data of a device: its newest points by name, and its uplinks, oldest first. */
export async function storedOf(app: TestApp, channelId: string, deviceId: string) {
  // Uplinks are read first: their points are stored in the same transaction, so they exist by then.
  const { rows: uplinks } = await sql<{
    uplink_id: string;
    source: string;
    fport: number | null;
    fcnt: number | null;
    time: string;
    raw: Buffer;
    meta: Record<string, unknown> | null;
    warnings: string[] | null;
  }>`select uplink_id, source, fport, fcnt, time, raw, meta, warnings from app.uplink
    where channel_id = ${channelId} and device_id = ${deviceId} order by received_at, uplink_id`.execute(app.ctx.db);
  const { rows: points } = await sql<{ attribute: string; value: number | null; value_text: string | null; time: string }>`
    select attribute, value, value_text, time from app.metric where channel_id = ${channelId} and device_id = ${deviceId} order by time`.execute(
    app.ctx.db,
  );
  return {
    points: Object.fromEntries(points.map(({ attribute, value, value_text }) => [attribute, value ?? value_text])),
    uplinks,
    all: points,
  };
}
