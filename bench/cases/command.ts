import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mqtt, { type MqttClient } from 'mqtt';
import { runCommandFleet } from '../../server/testing/command-fleet.ts';
import { type MadeDevice, makeDevices } from '../../server/testing/fleet.ts';
import { type Installation, withInstallation } from '../ingest/installation.ts';
import type { Case, Figure } from '../report.ts';
import { signIn } from '../server.ts';

const scale = Number(process.env.BENCH_SCALE ?? 1);
const devices = 60;
/** A schedule that fires more than ten times a minute is suspended. */
const firings = 8;
const pauseMs = 20;

/** design 7: from a reading over the threshold to the command on the wire of its device. */
export const commandCase: Case = { name: 'command', run: () => withInstallation(measure) };

/** issue of downlinks: 10,000 commands to 500 devices that lose a third of everything, with processes killed. */
export const commandFleetCase: Case = {
  name: 'command-fleet',
  async run() {
    const seen = await runCommandFleet({
      devices: Math.round(500 * scale),
      commands: 20,
      loss: 0.3,
      kills: 6,
      timeoutMs: 1_800_000,
    });
    console.log(`  ${JSON.stringify(seen)}`);
    const ended = Object.values(seen.states).reduce((sum, count) => sum + count, 0) - seen.open;
    return [
      {
        what: `deliveries in one final state, with ${seen.kills} processes killed, after ${seen.seconds.toFixed(0)} s`,
        value: ended,
        unit: 'deliveries',
        reference: { what: 'sent', value: seen.sent },
        goal: '1.00 ×',
        isMet: ended === seen.sent && seen.mostAttempts <= seen.allowedAttempts,
      },
      { what: 'effects seen that never were', value: seen.falselySeen, unit: 'deliveries', goal: '0', isMet: seen.falselySeen === 0 },
    ];
  },
};

async function measure({ ctx, url, port }: Installation): Promise<Figure[]> {
  const fleet = await makeDevices(ctx, 'tanks', devices);
  const headers = { authorization: `Key ${await signIn(url)}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${url}/api/downlink-commands${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { id: number };
  };
  const clients = await Promise.all(fleet.map((device) => connected(port, device)));
  for (const [n, { channel_id, device_id }] of fleet.entries()) {
    await publish(clients[n], `v1/${channel_id}/devices/${device_id}/up`, '{"level":1}');
    const { id } = await post('', { name: 'drain', channel_id, device_ids: [device_id], fport: 1, mode: 'push', payload: '01' });
    await post(`/${id}/schedules`, { type: 'e', channel_id, device_id, attribute: 'level', operator: '>', value: 5 });
  }
  await sleep(2000);
  const times: number[] = [];
  for (let turn = 0; turn < firings; turn++) {
    for (const [n, { channel_id, device_id }] of fleet.entries()) {
      const topic = `v1/${channel_id}/devices/${device_id}/up`;
      const heard = new Promise((resolve) => clients[n]?.once('message', resolve));
      const startedAt = performance.now();
      void publish(clients[n], topic, '{"level":9}');
      await heard;
      times.push(performance.now() - startedAt);
      await publish(clients[n], topic, '{"level":1}');
      await sleep(pauseMs);
    }
  }
  for (const client of clients) client.end(true);
  const round = await roundTrips(times.length);
  const [p50, p99, reference] = [quantile(times, 0.5), quantile(times, 0.99), quantile(round, 0.99)];
  return [
    {
      what: `reading over the threshold to the command on the wire, p99 of ${times.length}`,
      value: p99,
      unit: 'ms',
      reference: { what: 'publish to subscriber on bare Aedes', value: reference },
      goal: '≤ + 50 ms',
      isMet: p99 <= reference + 50,
    },
    {
      what: 'the same, median',
      value: p50,
      unit: 'ms',
      reference: { what: 'bare Aedes', value: quantile(round, 0.5) },
      goal: '≤ + 50 ms',
      isMet: p50 <= quantile(round, 0.5) + 50,
    },
  ];
}

const quantile = (values: number[], part: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;

const publish = (client: MqttClient | undefined, topic: string, payload: string) => client?.publishAsync(topic, payload, { qos: 1 });

async function connected(port: number, { channel_id, device_id, api_key }: MadeDevice): Promise<MqttClient> {
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
    username: `${channel_id}/${device_id}`,
    password: api_key,
    protocolVersion: 4,
  });
  await client.subscribeAsync(`v1/${channel_id}/devices/${device_id}/down`, { qos: 1 });
  return client;
}

/** What passing a message on takes where nothing is stored and nothing decided. */
async function roundTrips(count: number): Promise<number[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'ingest', 'bare-aedes.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${await portOf(child)}`, { protocolVersion: 4 });
    await client.subscribeAsync('down', { qos: 1 });
    const times: number[] = [];
    for (let n = 0; n < count; n++) {
      const heard = new Promise((resolve) => client.once('message', resolve));
      const startedAt = performance.now();
      void publish(client, 'down', '{"level":9}');
      await heard;
      times.push(performance.now() - startedAt);
      await sleep(pauseMs);
    }
    client.end(true);
    return times;
  } finally {
    child.kill();
  }
}

const portOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => child.stdout?.once('data', (line) => resolve(Number(String(line)))));
