import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { commandsApi } from '@telltale/domain/commands/contract.ts';
import { destinationsApi } from '@telltale/domain/destinations/contract.ts';
import { sql } from 'kysely';
import mqtt, { type MqttClient } from 'mqtt';
import { expect, inject, test } from 'vitest';
import { builtInType } from '../data-sources/data-sources.ts';
import { prepareReader } from '../data-sources/prepare-reader.ts';
import { balancer } from './balancer.ts';
import { startConsole, stopped } from './chaos.ts';
import { type MadeDevice, makeDevices } from './fleet.ts';
import { hookServer } from './hook-server.ts';
import { ReliableSender } from './mqtt-sender.ts';
import { childrenOf } from './processes.ts';
import { RetryingClient } from './retrying-client.ts';
import { tcpProxy } from './tcp-proxy.ts';
import { testApp, testSecretKey } from './test-app.ts';
import { until } from './until.ts';

/** Of each of the three who ask: a busy machine goes on asking after the faults. */
const fewestQueries = 7;
const [devices, changes] = [8, 60];
const total = devices * changes;
/** More than the 10 s after which a silent process counts as dead and its work is given to others. */
const cutOffMs = 12_000;

const app = await testApp({ env: { TELLTALE_ALLOW_PRIVATE: '*' } });
const admin = app.as(app.admin);
const hook = await hookServer();
await prepareReader(app.ctx, inject('postgres').superuserUrl);

const isWell = async (port: number) => {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz?only=database`, { signal: AbortSignal.timeout(2000) });
  await answer.arrayBuffer();
  return answer.ok;
};

test('two of each role: a killed or cut off one costs no request twice, and loses or doubles no job, message, notice or command', async () => {
  const folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'telltale-two-'))));
  const wires = await Promise.all(folders.map(() => tcpProxy(app.databaseUrl)));
  const settings = { TELLTALE_ALLOW_PRIVATE: '127.0.0.1', TELLTALE_SECRET_KEY: testSecretKey };
  const hosts = await Promise.all(wires.map(({ url }, n) => startConsole(url, folders[n] ?? '', ['web', 'worker', 'ingest'], settings)));
  const web = await balancer(
    hosts.map(({ webPort }) => webPort),
    isWell,
  );
  const broker = await balancer(hosts.map(({ port }) => port));
  const listeners: MqttClient[] = [];
  try {
    const fleet = await makeDevices(app.ctx, 'plant', devices);
    const [valve] = await makeDevices(app.ctx, 'valves', 1);
    if (!valve) throw new Error('There is no valve.');
    await makeAlert();
    const received = new Map<number, Set<string>>();
    listeners.push(await listen(valve, broker.port, (value, id) => received.set(value, (received.get(value) ?? new Set()).add(id))));

    const senders = fleet.map((device) => new ReliableSender(device, broker.port));
    const client = new RetryingClient(`http://127.0.0.1:${web.port}`, app.admin.api_key);
    const sources = (await (await client.ask('GET', '/api/data_sources')).json()) as { id: number; type: string }[];
    const source = sources.find(({ type }) => type === builtInType)?.id ?? 0;
    let isOver = false;
    const queries = [1, 2, 3].map((n) => askUntil(client, source, n * 1_000_000, () => isOver));
    const commands = sendUntil(client, valve, () => isOver);
    const readings = Array.from({ length: changes }, (_, n) => `{"t":${n % 2 === 0 ? 20 : 1},"n":${n}}`);
    const acknowledged = () => senders.reduce((sum, sender) => sum + sender.acknowledged, 0);
    const chaos = (async () => {
      for (const [number, victim] of (['web', 'worker', 'ingest'] as const).entries()) {
        await until(acknowledged, (count) => count >= (total * (number + 1)) / 5);
        const find = () => childrenOf(hosts[number % 2]?.child.pid ?? 0, `main.ts ${victim}`)[0];
        process.kill((await until(find, (pid) => pid !== undefined)) ?? 0, 'SIGKILL');
      }
      await until(acknowledged, (count) => count >= total * 0.75);
      wires[1]?.freeze();
      await delay(cutOffMs);
      await wires[1]?.cut();
      await wires[1]?.mend();
    })();
    await Promise.all([...senders.map((sender) => sender.sendAll(readings, 150)), chaos]);
    isOver = true;
    const ran = (await Promise.all(queries)).reduce((sum, count) => sum + count, 0);
    const sent = await commands;

    // Requests: none failed twice, and both copies had their part of them.
    expect(client.failedTwice).toEqual([]);
    expect(Math.min(...web.given)).toBeGreaterThan(0);
    expect(Math.min(...broker.given)).toBeGreaterThan(0);
    expect(ran).toBeGreaterThanOrEqual(3 * fewestQueries);

    // Messages: each is there once.
    const { rows: stored } = await sql<{ uplinks: number; distinct: number }>`
      select (select count(*)::int from telemetry.uplink join telemetry.device on device.id = device_pk where channel_pk = ${fleet[0]?.channel_pk}) as uplinks,
        (select count(*)::int from (select distinct device_pk, value from telemetry.metric_point join telemetry.attribute on attribute.id = attribute_id
          where name = 'n') each) as distinct`.execute(app.ctx.db);
    expect(stored[0]).toEqual({ uplinks: total, distinct: total });

    // Notices: one for each change, in order, each of them delivered.
    const notices = async () => {
      // The pauses between attempts are not waited for.
      await sql`update jobs set run_at = now() where run_at > now()`.execute(app.ctx.db);
      await delay(300);
      const { rows } = await sql<{ key: string; device_id: string; state: string; status: string }>`
        select key, device_id, notice -> 'alert' ->> 'state' as state, status from notice_deliveries order by id`.execute(app.ctx.db);
      return rows;
    };
    const told = await until(notices, (rows) => rows.filter(({ status }) => status === 'sent').length >= total);
    const expected = readings.map((_, n) => (n % 2 === 0 ? 'triggered' : 'ok'));
    for (const { device_id } of fleet)
      expect(
        told.filter((row) => row.device_id === device_id).map(({ state }) => state),
        device_id,
      ).toEqual(expected);
    expect(told.map(({ status }) => status)).toEqual(Array(total).fill('sent'));
    const arrived = new Set(hook.calls.map(({ headers }) => headers['x-telltale-delivery']));
    expect([arrived.size, told.filter(({ key }) => !arrived.has(key))]).toEqual([total, []]);

    // Commands: each has one delivery that ended well, and reached the valve as one and the same.
    const deliveries = async () => {
      const { rows } = await sql<{ state: string; stage: string }>`select state, stage from command_deliveries`.execute(app.ctx.db);
      return rows;
    };
    const ended = await until(deliveries, (rows) => rows.every(({ stage }) => stage === 'done'));
    expect(ended.map(({ state }) => state)).toEqual(Array(sent.length).fill('sent'));
    expect([...received.keys()].toSorted((a, b) => a - b)).toEqual(sent);
    expect([...received.values()].filter((ids) => ids.size > 1)).toEqual([]);

    // Jobs: none is left behind as waiting or running.
    const left = async () => {
      const { rows } = await sql`select name, status, process_id from jobs where status < 3 and queue <> 'periodic'`.execute(app.ctx.db);
      return rows;
    };
    expect(await until(left, ({ length }) => length === 0)).toEqual([]);
  } finally {
    for (const listener of listeners) listener.end(true);
    await web.stop();
    await broker.stop();
    await Promise.all(hosts.map(({ child }) => stopped(child)));
    for (const wire of wires) await wire.stop();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  }
});

async function makeAlert(): Promise<void> {
  const destination = await admin.get(destinationsApi.create, {
    body: { name: 'Hook', type: 'webhook', options: { url: `${hook.url}/hook` } },
  });
  const options = { kind: 'device', channel_id: 'plant', attribute: 't', op: '>', value: 10 };
  const alert = await admin.get(alertsApi.create, { body: { name: 'Hot', options, rearm: 0 } as never });
  await admin.get(alertsApi.subscribe, { params: { id: alert.id }, body: { destination_id: destination.id } });
}

/** A valve that takes commands, by way of the balancer, and connects again when it is cut off. */
async function listen(
  { channel_id, device_id, api_key }: MadeDevice,
  port: number,
  onSet: (value: number, id: string) => void,
): Promise<MqttClient> {
  const client = mqtt.connect(`mqtt://127.0.0.1:${port}`, {
    clientId: 'valve',
    username: `${channel_id}/${device_id}`,
    password: api_key,
    reconnectPeriod: 200,
    connectTimeout: 2000,
    keepalive: 5,
    protocolVersion: 4,
  });
  client.on('error', () => {});
  client.on('connect', () => client.subscribe(`v1/${channel_id}/devices/${device_id}/down`, { qos: 1 }));
  client.on('message', (_topic, message) => {
    const { id, payload } = JSON.parse(message.toString()) as { id: string; payload: { set: number } };
    onSet(payload.set, id);
  });
  await new Promise<void>((resolve) => client.once('connect', () => resolve()));
  return client;
}

/** Runs statements of their own one after the other, and again where the process that ran one was stopped. Answers how many. */
async function askUntil(client: RetryingClient, source: number, first: number, isOver: () => boolean): Promise<number> {
  let count = 0;
  for (; !isOver() || count < fewestQueries; count++) {
    const number = first + count;
    const answer = JSON.stringify(await client.run(source, `select ${number} as n`));
    if (answer !== `[{"n":${number}}]`) client.failedTwice.push(`select ${number} answered ${answer}`);
    await delay(50);
  }
  return count;
}

/** Sends commands, each with a value of its own; one whose answer was lost is looked for before it is sent again. */
async function sendUntil(client: RetryingClient, valve: MadeDevice, isOver: () => boolean): Promise<number[]> {
  const sent: number[] = [];
  for (let value = 1; !isOver(); value++) {
    const { id } = await admin.get(commandsApi.create, {
      body: {
        name: `Set ${value}`,
        channel_id: valve.channel_id,
        device_ids: [valve.device_id],
        fport: 1,
        mode: 'push',
        payload: `{"set":${value}}`,
      },
    });
    const wasSent = async () => {
      const executions = await client.ask('GET', `/api/downlink-commands/${id}/executions`);
      return ((await executions.json()) as { count: number }).count > 0;
    };
    await client.ask('POST', `/api/downlink-commands/${id}/send`, {}, wasSent);
    sent.push(value);
    await delay(400);
  }
  return sent;
}
