import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { commandsApi, deliveriesApi } from '@telltale/domain/commands/contract.ts';
import { sql } from 'kysely';
import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, describe, expect, test } from 'vitest';
import { takeAnswers } from '../../commands/answers.ts';
import { startDispatcher } from '../../commands/dispatcher.ts';
import { findProgram, startProgram } from '../../connectors/testing/program.ts';
import { joinRegistry } from '../../platform/process-registry.ts';
import { registerDevice } from '../../roles/register-device.ts';
import { type MadeDevice, makeDevices } from '../../testing/fleet.ts';
import { servicesOf } from '../../testing/live-server.ts';
import { testApp } from '../../testing/test-app.ts';
import { createDirectory } from '../../uplinks/directory.ts';
import { keepPresence } from '../../uplinks/presence.ts';
import { Uplinks } from '../../uplinks/uplinks.ts';
import { claimWriterPhase, releaseWriterPhase } from '../../uplinks/writer-phase.ts';
import { externalBrokerCarrier } from '../external-broker/carrier.ts';
import { ExternalBroker } from '../external-broker/external-broker.ts';
import { readExternalBroker } from '../external-broker/settings.ts';

interface BrokerKind {
  /** The program, and the Debian package that contains it. */
  program: string;
  isShared: boolean;
  connections: number;
  config(at: { port: number; otherPort: number; folder: string }): string;
}

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      resolve(true);
      socket.destroy();
    }).on('error', () => resolve(false));
  });
const count = (n: number) => Array.from({ length: n }, (_, at) => at);

/** The tests for every supported external broker. */
export async function describeExternalBroker({ program, isShared, connections, config }: BrokerKind): Promise<void> {
  const path = findProgram(program);
  if (!path) {
    describe.skip(`${program} as the broker of the installation (needs ${program})`, () => test('is not installed', () => {}));
    return;
  }
  const prepare = async (at: { port: number; otherPort: number; folder: string }) => {
    const file = join(at.folder, 'broker.conf');
    await writeFile(file, config(at));
    return ['-c', file];
  };
  const server = await startProgram(path, prepare, listens);
  const app = await testApp({ env: { TELLTALE_RATE_DEVICE: '0', TELLTALE_RATE_CHANNEL: '0' } });
  const shared = servicesOf(app);
  const [device] = (await makeDevices(app.ctx, 'yard', 1)) as [MadeDevice];

  async function startIngest() {
    const entry = await joinRegistry(shared.db, 'ingest', [], shared.log);
    const services = { ...shared, writerPhase: await claimWriterPhase(shared, entry.id) };
    const uplinks = new Uplinks(services, { writer: entry.id, settleMs: 50 });
    const directory = createDirectory(services, registerDevice(services));
    const presence = keepPresence(services, entry.id, uplinks);
    const parts = {
      processId: entry.id,
      db: services.db,
      directory,
      uplinks,
      presence,
      onAck: takeAnswers(services, (device, points) => uplinks.notePoints(device, points)),
      log: services.log,
    };
    const settings = readExternalBroker(`mqtt://127.0.0.1:${server.port}`, isShared);
    const broker = new ExternalBroker(settings, { ...parts, tickMs: 50 });
    const dispatcher = startDispatcher(services, entry.id, [externalBrokerCarrier(broker)], { sweepMs: 50 });
    return {
      broker,
      async stop() {
        await dispatcher.stop();
        await broker.stop();
        await presence.stop();
        await uplinks.stop();
        await directory.stop();
        await releaseWriterPhase(services, entry.id);
        await entry.stop();
      },
    };
  }

  let first = await startIngest();
  const clients: MqttClient[] = [];
  const openClient = async () => {
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${server.port}`, { protocolVersion: 4 });
    clients.push(client);
    return client;
  };
  afterAll(async () => {
    for (const client of clients) client.end(true);
    await first.stop();
    await server.stop();
  });
  const topic = (what: string) => `v1/${device.channel_id}/devices/${device.device_id}/${what}`;
  const values = async (name: string) =>
    (
      await sql<{ value: number }>`
        select value from telemetry.metric_point p join telemetry.attribute a on a.id = attribute_id
        where name = ${name} order by value`.execute(app.ctx.db)
    ).rows.map(({ value }) => value);
  const publish = (client: MqttClient, name: string, n: number) =>
    client.publishAsync(topic('up'), JSON.stringify({ [name]: n }), { qos: 1 });

  describe(`iot-behaviour 1.13: ${program} as the broker of the installation`, () => {
    test('messages of devices are stored, bad ones are told on the error topic', async () => {
      await expect.poll(() => first.broker.connections).toBe(connections);
      const sender = await openClient();
      const errors: { code: string }[] = [];
      sender.on('message', (_topic, payload) => void errors.push(JSON.parse(payload.toString())));
      await sender.subscribeAsync(topic('error'));
      await Promise.all(count(200).map((n) => publish(sender, 'a', n)));
      await expect.poll(() => values('a')).toEqual(count(200));
      await sender.publishAsync(topic('up'), '{', { qos: 1 });
      await expect.poll(() => errors.map(({ code }) => code)).toEqual(['bad_json']);
    });

    test('what belongs to no channel is passed over and stops nothing', async () => {
      const sender = await openClient();
      await sender.publishAsync('v1/nowhere/devices/nobody/up', '{"b":1}', { qos: 1 });
      await sender.publishAsync(topic('up/no/such/thing'), '{"b":2}', { qos: 1 });
      await publish(sender, 'b', 3);
      await expect.poll(() => values('b')).toEqual([3]);
    });

    test('a command reaches the device through the broker, and its answer comes back', async () => {
      const receiver = await openClient();
      const heard = new Promise<{ id: string }>((resolve) => {
        receiver.on('message', (_topic, payload) => resolve(JSON.parse(payload.toString())));
      });
      await receiver.subscribeAsync(topic('down'), { qos: 1 });
      const admin = app.as(app.admin);
      const fields = {
        channel_id: 'yard',
        device_ids: [device.device_id],
        payload: '{"open":true}',
        mode: 'push',
        fport: 1,
        confirm: true,
      };
      const { id } = await admin.get(commandsApi.create, { body: { name: 'Open valve', ...fields } });
      const { deliveries } = await admin.get(commandsApi.send, { params: { id }, body: {} });
      const command = await heard;
      await receiver.publishAsync(topic('ack'), JSON.stringify({ id: command.id, ok: true }), { qos: 1 });
      const state = async () => (await admin.get(deliveriesApi.get, { params: { id: deliveries[0]?.id ?? 0 } })).state;
      await expect.poll(state).toBe('acknowledged');
    });

    test('what came while nobody was there is delivered to the process that takes the connections over', async () => {
      await first.stop();
      const sender = await openClient();
      for (const n of count(40)) await publish(sender, 'c', n);
      first = await startIngest();
      await expect.poll(() => values('c')).toEqual(count(40));
    });

    test('two processes divide the connections between them, and each message is stored once', async () => {
      const second = await startIngest();
      const held = () => [first.broker.connections, second.broker.connections];
      await expect.poll(held).toEqual(connections === 1 ? [1, 0] : [connections / 2, connections / 2]);
      const sender = await openClient();
      await Promise.all(count(100).map((n) => publish(sender, 'd', n)));
      await expect.poll(() => values('d')).toEqual(count(100));
      await second.stop();
      await expect.poll(() => first.broker.connections).toBe(connections);
    });
  });
}
