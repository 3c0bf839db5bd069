import { commandsApi, deliveriesApi } from '@telltale/domain/commands/contract.ts';
import { sql } from 'kysely';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import type { DownlinkCarrier } from '../networks/downlinks.ts';
import { joinRegistry } from '../platform/process-registry.ts';
import { createServices } from '../services.ts';
import { makeDevices } from '../testing/fleet.ts';
import { servicesOf } from '../testing/live-server.ts';
import { tcpProxy } from '../testing/tcp-proxy.ts';
import { testApp, testSecretKey } from '../testing/test-app.ts';
import { startDispatcher } from './dispatcher.ts';

const app = await testApp();
const admin = app.as(app.admin);
const services = servicesOf(app);

/** A network that takes everything; the test answers for it. */
const network = (parts: Partial<DownlinkCarrier>): DownlinkCarrier => ({
  kinds: ['tts'],
  reaches: () => true,
  send: async () => ({ status: 'queued' }),
  onReachable: () => () => {},
  ...parts,
});

async function dispatch(carrier: DownlinkCarrier, on = services) {
  const entry = await joinRegistry(services.db, 'ingest', [], services.log);
  const dispatcher = startDispatcher(on, entry.id, [carrier], { sweepMs: 50 });
  onTestFinished(async () => {
    await dispatcher.stop();
    await entry.stop();
  });
}

/** Sends a command to each of some devices of a LoRaWAN network; returns the deliveries. */
async function sendTo(channel_id: string, count: number) {
  const devices = await makeDevices(app.ctx, channel_id, count);
  await sql`update telemetry.channel set kind = 'tts' where channel_id = ${channel_id}`.execute(app.ctx.db);
  const device_ids = devices.map(({ device_id }) => device_id);
  const body = { name: 'open', channel_id, device_ids, fport: 1, mode: 'push', payload: '01' };
  const { id } = await admin.get(commandsApi.create, { body });
  return (await admin.get(commandsApi.send, { params: { id }, body: {} })).deliveries.map(({ id, device_id }) => ({
    id: id ?? 0,
    device_id,
  }));
}
const stageOf = async (id: number) =>
  (
    await sql<{ stage: string; to_withdraw: boolean }>`select stage, to_withdraw from command_deliveries where id = ${id}`.execute(
      app.ctx.db,
    )
  ).rows[0];

test('iot-behaviour 3.2: what a network does not take back at once is asked for again, and holds up no other', async () => {
  const asked: string[] = [];
  const released = Promise.withResolvers<void>();
  await dispatch(
    network({
      withdraw: async ({ device_id }) => {
        asked.push(device_id);
        if (device_id === 'd-00000') await released.promise;
        if (device_id === 'd-00001' && asked.filter((each) => each === device_id).length < 3) throw new Error('503');
      },
    }),
  );
  onTestFinished(() => released.resolve());
  const deliveries = await sendTo('meters', 3);
  for (const { id } of deliveries) await expect.poll(() => stageOf(id)).toMatchObject({ stage: 'network' });
  const [held, failing, good] = deliveries.toSorted((a, b) => a.device_id.localeCompare(b.device_id)).map(({ id }) => id);
  for (const id of [held, failing, good]) await admin.get(deliveriesApi.cancel, { params: { id: id ?? 0 } });
  await expect.poll(() => stageOf(good ?? 0)).toEqual({ stage: 'done', to_withdraw: false });
  await expect.poll(() => stageOf(failing ?? 0)).toEqual({ stage: 'done', to_withdraw: false });
  expect(asked.filter((each) => each === 'd-00001')).toHaveLength(3);
  expect(await stageOf(held ?? 0)).toEqual({ stage: 'done', to_withdraw: true });
  released.resolve();
  await expect.poll(() => stageOf(held ?? 0)).toEqual({ stage: 'done', to_withdraw: false });
  expect(asked.filter((each) => each === 'd-00000')).toHaveLength(1);
});

test('iot-behaviour 3.8: a handover that could not be noted, because the database was away, is noted when it is back', async () => {
  const proxy = await tcpProxy(app.databaseUrl);
  const log = pino({ level: 'silent' });
  const lines: string[] = [];
  const away = [log, pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })].map((log, number) =>
    createServices({
      databaseUrl: proxy.url,
      config: services.config,
      secretKey: testSecretKey,
      log,
      name: `test ${number}`,
      connections: 4,
    }),
  );
  onTestFinished(async () => {
    await Promise.all(away.map(({ close }) => close()));
    await proxy.stop();
  });
  const cut = Promise.withResolvers<void>();
  const [one, other] = away;
  const send: DownlinkCarrier['send'] = async () => {
    await proxy.cut();
    cut.resolve();
    return { status: 'queued' };
  };
  await dispatch(network({ send }), one?.services);
  // Another process that looks after the same deliveries.
  await dispatch(network({ reaches: () => false }), other?.services);
  const [delivery] = await sendTo('gauges', 1);
  await cut.promise;
  // The time for the network's answer passes while the database is away.
  await sql`update command_deliveries set next_at = now() - interval '1 second' where id = ${delivery?.id ?? 0}`.execute(app.ctx.db);
  await expect.poll(() => lines.some((line) => line.includes('commands could not be looked after'))).toBe(true);
  await proxy.mend();
  await expect.poll(() => stageOf(delivery?.id ?? 0)).toMatchObject({ stage: 'network' });
  const { state, log: story } = await admin.get(deliveriesApi.get, { params: { id: delivery?.id ?? 0 } });
  expect(state).toBe('queued');
  expect(story.map(({ reason }) => reason)).not.toContain('no_network_answer');
});
