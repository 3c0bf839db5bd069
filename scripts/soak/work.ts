import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import mqtt from 'mqtt';
import { gatewaySenders, generate } from '../../bench/cases/ingest.ts';
import type { Installation } from '../../bench/ingest/installation.ts';
import { signIn } from '../../bench/server.ts';
import { type MadeDevice, makeDevices } from '../../server/testing/fleet.ts';
import { ReliableSender } from '../../server/testing/mqtt-sender.ts';

export interface Plan {
  seconds: number;
  /** Messages a second of the fleet. */
  rate: number;
  devices: number;
}

interface Task {
  /** Milliseconds of each turn. */
  times: number[];
  errors: string[];
}

export interface Outcome {
  uplinks: number;
  ackP50: number;
  ackP99: number;
  tasks: Record<string, Task>;
}

type Call = <T>(method: string, path: string, body?: object) => Promise<T>;

const answerWithinMs = 30_000;

/** Starts everything that a busy console does, and answers what became of it when the time is over. */
export async function startWork(installation: Installation, { seconds, rate, devices }: Plan): Promise<{ done: Promise<Outcome> }> {
  const { ctx, url, port } = installation;
  const headers = { authorization: `Key ${await signIn(url)}`, 'content-type': 'application/json', prefer: 'wait=20' };
  const call: Call = async <T>(method: string, path: string, body?: object) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const said = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${said.slice(0, 200)}`);
    return JSON.parse(said) as T;
  };
  const senders = await gatewaySenders(ctx, 'soak', devices);
  const [watched, valve] = await makeDevices(ctx, 'watched', 2);
  if (!watched || !valve) throw new Error('There are no devices.');
  const [alarm, valves] = [await alerting(call, watched, port), await commanding(call, valve, port)];
  const { query, dashboard } = await reading(call);

  const until = performance.now() + seconds * 1000;
  const turns = { queries: { pauseMs: 500, turn: query }, dashboards: { pauseMs: 2000, turn: dashboard }, alerts: alarm, commands: valves };
  const tasks: Outcome['tasks'] = {};
  const running = Object.entries(turns).map(async ([name, { pauseMs, turn }]) => {
    const task: Task = { times: [], errors: [] };
    tasks[name] = task;
    for (let n = 0; performance.now() < until; n++) {
      const startedAt = performance.now();
      try {
        await turn(n);
        task.times.push(performance.now() - startedAt);
      } catch (error) {
        task.errors.push(error instanceof Error ? error.message : String(error));
      }
      await sleep(pauseMs);
    }
  });
  const fleet = generate({ port, senders, window: 20, seconds, warmUpSeconds: 1, rate });
  const done = Promise.all([fleet, ...running]).then(async ([measured]) => {
    await Promise.all([alarm.stop(), valves.stop()]);
    return { uplinks: measured.acknowledged, ackP50: measured.p50, ackP99: measured.p99, tasks };
  });
  return { done };
}

/** Statements on what the fleet reports, and a dashboard of eight of them. */
async function reading(call: Call) {
  const sources = await call<{ id: number; type: string }[]>('GET', '/api/data_sources');
  const data_source_id = sources.find(({ type }) => type === 'telltale')?.id;
  const text = (n: number) =>
    `select device_id, count(*) as n, avg(value) as mean from app.metric where channel_id = 'soak' and time > now() - interval '${n + 1} minutes' group by 1`;
  const { id: dashboard_id } = await call<{ id: number }>('POST', '/api/dashboards', { name: 'Soak' });
  const saved: number[] = [];
  for (let n = 0; n < 8; n++) {
    const made = await call<{ id: number; visualizations: { id: number }[] }>('POST', '/api/queries', {
      name: `Soak ${n}`,
      query: text(n),
      data_source_id,
    });
    saved.push(made.id);
    const position = { col: 0, row: n * 4, sizeX: 3, sizeY: 4 };
    await call('POST', '/api/widgets', {
      dashboard_id,
      visualization_id: made.visualizations[0]?.id,
      width: 1,
      text: '',
      options: { position },
    });
  }
  const expectRows = ({ query_result }: { query_result?: { data: { rows: object[] } } }) => {
    if (!query_result) throw new Error('No result came within 20 s.');
  };
  return {
    query: async (n: number) => expectRows(await call('POST', '/api/query_results', { data_source_id, query: text(n % 5), max_age: 0 })),
    dashboard: async () => {
      await call('GET', `/api/dashboards/${dashboard_id}`);
      await Promise.all(saved.map(async (id) => expectRows(await call('POST', `/api/queries/${id}/results`, { max_age: 0 }))));
    },
  };
}

const within = <T>(promise: Promise<T>, what: string): Promise<T> =>
  Promise.race([
    promise,
    sleep(answerWithinMs, undefined, { ref: false }).then(() => {
      throw new Error(`${what} did not come within ${answerWithinMs / 1000} s.`);
    }),
  ]);

/** From a reading over the threshold, and back, to the webhook. */
async function alerting(call: Call, device: MadeDevice, port: number) {
  let heard: () => void = () => {};
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.end();
      heard();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: hookPort } = server.address() as { port: number };
  const options = { url: `http://127.0.0.1:${hookPort}/` };
  const destination = await call<{ id: number }>('POST', '/api/destinations', { name: 'Soak', type: 'webhook', options });
  const watched = { kind: 'device', channel_id: 'watched', device_ids: [device.device_id], attribute: 'temperature', op: '>', value: 30 };
  const alert = await call<{ id: number }>('POST', '/api/alerts', { name: 'Soak', options: watched, rearm: 0 });
  await call('POST', `/api/alerts/${alert.id}/subscriptions`, { destination_id: destination.id });
  const sender = new ReliableSender(device, port);
  await sender.sendAll(['{"temperature":1}']);
  await sleep(1000);
  return {
    pauseMs: 1000,
    async turn(n: number) {
      const arrival = new Promise<void>((resolve) => {
        heard = resolve;
      });
      await sender.sendAll([`{"temperature":${n % 2 === 0 ? 50 : 1}}`]);
      await within(arrival, 'The webhook');
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** From the call to the command on the wire of its device. */
async function commanding(call: Call, { channel_id, device_id, api_key }: MadeDevice, port: number) {
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
    username: `${channel_id}/${device_id}`,
    password: api_key,
    protocolVersion: 4,
  });
  await client.subscribeAsync(`v1/${channel_id}/devices/${device_id}/down`, { qos: 1 });
  const body = { name: 'Soak', channel_id, device_ids: [device_id], fport: 1, mode: 'push', payload: '01' };
  const { id } = await call<{ id: number }>('POST', '/api/downlink-commands', body);
  return {
    pauseMs: 2000,
    async turn() {
      const heard = new Promise((resolve) => client.once('message', resolve));
      await call('POST', `/api/downlink-commands/${id}/send`, {});
      await within(heard, 'The command');
    },
    stop: () => client.endAsync(true),
  };
}
