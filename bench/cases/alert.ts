import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Ctx } from '../../server/platform/context.ts';
import { makeDevices } from '../../server/testing/fleet.ts';
import { ReliableSender } from '../../server/testing/mqtt-sender.ts';
import { type Installation, withInstallation } from '../ingest/installation.ts';
import { type Case, type Figure, median, percentile } from '../report.ts';
import { signIn } from '../server.ts';
import { gatewaySenders, generate } from './ingest.ts';

/** `BENCH_SCALE=0.1 npm run bench alert` for a look in a tenth of the time. */
const scale = Number(process.env.BENCH_SCALE ?? 1);
const rounds = Math.max(20, Math.round(300 * scale));
const devices = 10_000;
const alerts = 1000;

/** From a reading over MQTT to the webhook of its alert, and what 1,000 alerts cost those that trigger none. */
export const alertCase: Case = {
  name: 'alert',
  run: () => withInstallation(measure, { TELLTALE_ALLOW_PRIVATE: '127.0.0.1' }),
};

async function measure(installation: Installation): Promise<Figure[]> {
  const times = await uplinkToWebhook(installation);
  const { without, beside } = await costPerMessage(installation);
  return [
    {
      what: 'uplink over the threshold to webhook received, p99',
      value: percentile(times, 0.99),
      unit: 'ms',
      reference: { what: 'p50', value: median(times) },
      goal: '≤ 100 ms',
      isMet: percentile(times, 0.99) <= 100,
    },
    {
      what: `time per message with ${alerts} alerts on ${devices} devices`,
      value: 1e6 / beside,
      unit: 'µs',
      reference: { what: 'without alerts', value: 1e6 / without },
      goal: '≤ 1.2 ×',
      isMet: without / beside <= 1.2,
    },
  ];
}

async function uplinkToWebhook({ ctx, url, port }: Installation): Promise<number[]> {
  let heard: (at: number) => void = () => {};
  const server = createServer((request, response) => {
    const at = performance.now();
    request.resume().on('end', () => {
      response.end();
      heard(at);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: hookPort } = server.address() as { port: number };
  const [device] = await makeDevices(ctx, 'watched', 1);
  if (!device) throw new Error('There is no device.');
  const headers = { authorization: `Key ${await signIn(url)}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { id: number };
  };
  const options = { url: `http://127.0.0.1:${hookPort}/` };
  const destination = await post('/api/destinations', { name: 'Bench', type: 'webhook', options });
  const watched = { kind: 'device', channel_id: 'watched', attribute: 'temperature', op: '>', value: 30 };
  const alert = await post('/api/alerts', { name: 'Bench', options: watched });
  await post(`/api/alerts/${alert.id}/subscriptions`, { destination_id: destination.id });
  await sleep(1000);
  const sender = new ReliableSender(device, port);
  const times: number[] = [];
  await sender.sendAll(['{"temperature":1}']);
  for (let round = 0; round < rounds + 10; round++) {
    const arrival = new Promise<number>((resolve) => {
      heard = resolve;
    });
    const startedAt = performance.now();
    await sender.sendAll([`{"temperature":${round % 2 === 0 ? 50 : 1}}`]);
    const took = (await arrival) - startedAt;
    // The first ones open connections.
    if (round >= 10) times.push(took);
  }
  await new Promise((resolve) => server.close(resolve));
  return times;
}

/** In turn: the machine may be slower a minute later. */
async function costPerMessage({ ctx, port }: Installation): Promise<{ without: number; beside: number }> {
  const senders = await gatewaySenders(ctx, 'crowd', devices);
  const load = { port, senders, window: 20, seconds: 5 * scale, warmUpSeconds: 2, warmUpMessages: 2 * devices };
  const [without, beside]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < 3; turn++) {
    without.push((await generate(load)).perSecond);
    await makeAlerts(ctx);
    await settleAlerts(ctx, () => generate({ ...load, seconds: 1 }));
    beside.push((await generate(load)).perSecond);
    await sql`delete from alerts where name like 'crowd %'`.execute(ctx.db);
    await sleep(500);
  }
  return { without: median(without), beside: median(beside) };
}

/** The first reading of each device sets the state of a new alert. The measurement begins after it. */
async function settleAlerts(ctx: Ctx, send: () => Promise<unknown>): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    await send();
    await sleep(1000);
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from alerts where name like 'crowd %' and state = 'unknown'`.execute(ctx.db);
    if (rows[0]?.n === 0) return;
  }
}

/** Half of them watch every device, half ten devices each; none is ever met. */
async function makeAlerts(ctx: Ctx): Promise<void> {
  await sql`
    insert into alerts (org_id, user_id, kind, channel_pk, name, options)
    select organizations.id, (select min(id) from users), 'device', channel.id, 'crowd ' || n, jsonb_build_object('kind', 'device', 'channel_id', 'crowd',
      'device_ids', case when n % 2 = 0 then '[]'::jsonb else (
        select jsonb_agg('d-' || lpad(((n * 10 + k) % ${devices}::int)::text, 5, '0')) from generate_series(0, 9) k) end,
      'attribute', case when n % 4 < 2 then 'temperature' else 'humidity' end, 'op', '>', 'value', 1000 + n, 'for_seconds', 0, 'muted', false)
    from organizations, telemetry.channel, generate_series(1, ${alerts}::int) n where channel_id = 'crowd'`.execute(ctx.db);
  await sleep(2000);
}
