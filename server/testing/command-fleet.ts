import { setTimeout as delay } from 'node:timers/promises';
import { nobody } from '@telltale/domain/access/identity.ts';
import { sql } from 'kysely';
import mqtt, { type MqttClient } from 'mqtt';
import { findCommand } from '../commands/commands.store.ts';
import { fire } from '../commands/executions.ts';
import { createCtx } from '../platform/context.ts';
import { startConsole, stopped } from './chaos.ts';
import { type MadeDevice, makeDevices } from './fleet.ts';
import { startOwnDatabase } from './own-database.ts';
import { childrenOf } from './processes.ts';
import { tcpProxy } from './tcp-proxy.ts';

export interface CommandFleetPlan {
  devices: number;
  /** The number of commands for each device. */
  commands: number;
  /** The share of lost messages, in both directions. */
  loss: number;
  /** Processes that are killed; the database is away for two seconds after the first one. */
  kills: number;
  timeoutMs: number;
}

const channels = 10;
const retries = 5;

/**
 * A fleet that loses commands and reports, repeats and reorders them, and talks to processes that are killed. Each command sets a unique
 * value; a delivery may only be confirmed when the device has set it.
 */
export async function runCommandFleet(plan: CommandFleetPlan) {
  const { dataFolder, postgres, services, stop } = await startOwnDatabase('fleet', 5);
  const ctx = createCtx(services, nobody);
  await sql`insert into organizations (name, slug) values ('Fleet', 'fleet') on conflict do nothing`.execute(ctx.db);
  const fleet: MadeDevice[] = [];
  for (let n = 0; n < channels; n++)
    fleet.push(...(await makeDevices(ctx, `fleet-${n}`, Math.ceil(plan.devices / channels), (d) => `d-${n}-${d}`)));
  const database = await tcpProxy(postgres.url);
  const { child, port } = await startConsole(database.url, dataFolder, ['worker', 'ingest'], { TELLTALE_RATE_COMMANDS: '100000' });
  const clients: MqttClient[] = [];
  try {
    /** The values that each device has applied. */
    const applied = new Map<number, Set<number>>(fleet.map(({ pk }) => [pk, new Set<number>()]));
    let received = 0;
    for (const device of fleet)
      clients.push(
        simulate(device, port, plan.loss, (value) => {
          received++;
          applied.get(device.pk)?.add(value);
        }),
      );
    await Promise.all(clients.map((client) => new Promise<void>((resolve) => client.once('connect', () => resolve()))));
    const startedAt = Date.now();
    const wanted = await sendAll(ctx, fleet, plan.commands);
    const figures = async () =>
      (
        await sql<{ total: number; open: number; attempts: number }>`
        select count(*)::int as total, count(*) filter (where stage <> 'done')::int as open, max(attempt)::int as attempts from command_deliveries`.execute(
          ctx.db,
        )
      ).rows[0];
    let kills = 0;
    for (let seen = await figures(); seen && seen.open > 0 && Date.now() - startedAt < plan.timeoutMs; seen = await figures()) {
      await delay(200);
      const share = 1 - seen.open / Math.max(1, seen.total);
      if (kills >= plan.kills || share < (kills + 0.3) / (plan.kills + 1)) continue;
      const [pid] = childrenOf(child.pid ?? 0, `main.ts ${kills % 3 === 1 ? 'worker' : 'ingest'}`);
      if (pid) process.kill(pid, 'SIGKILL');
      kills++;
      if (kills > 1) continue;
      await database.cut();
      await delay(2000);
      await database.mend();
    }
    const { rows } = await sql<{ state: string; device_pk: number; execution_id: number; stage: string; attempt: number }>`
      select state, stage, device_pk, execution_id, attempt from command_deliveries`.execute(ctx.db);
    const believed = rows.filter(({ state }) => state === 'succeeded');
    const states: Record<string, number> = {};
    for (const { state } of rows) states[state] = (states[state] ?? 0) + 1;
    return {
      kills,
      sent: wanted.size,
      received,
      states,
      open: rows.filter(({ stage }) => stage !== 'done').length,
      /** Deliveries confirmed without an effect on the device. */
      falselySeen: believed.filter(({ device_pk, execution_id }) => !applied.get(device_pk)?.has(wanted.get(execution_id) ?? -1)).length,
      mostAttempts: Math.max(...rows.map(({ attempt }) => attempt)),
      allowedAttempts: retries + 1,
      seconds: (Date.now() - startedAt) / 1000,
    };
  } finally {
    for (const client of clients) client.end(true);
    await stopped(child);
    await database.stop();
    await stop();
  }
}

/** Sends one command per device and turn, each with a unique value. Returns the values by execution. */
async function sendAll(ctx: ReturnType<typeof createCtx>, fleet: readonly MadeDevice[], turns: number): Promise<Map<number, number>> {
  const wanted = new Map<number, number>();
  let value = 0;
  for (let turn = 0; turn < turns; turn++) {
    for (const { pk, channel_pk, device_id } of fleet) {
      value++;
      const until = JSON.stringify({ options: { op: '==', column: 'set', value } });
      const { rows } = await sql<{ id: number }>`
        insert into commands (org_id, name, channel_pk, fport, mode, confirm, payload, retry_enabled, retry_count, retry_until, retry_wait_seconds, ttl_seconds)
        select id, 'set', ${channel_pk}, 1, 'push', false, ${`{"set":${value}}`}, true, ${retries}, ${until}::jsonb, 2, 3600 from organizations limit 1 returning id`.execute(
        ctx.db,
      );
      const command = await findCommand(ctx.db, rows[0]?.id ?? 0);
      const fired = command && (await fire(ctx, command, { source: 'manual', devices: [{ pk, device_id, device_name: device_id }] }));
      if (fired) wanted.set(fired.execution_id, value);
    }
  }
  return wanted;
}

function simulate({ channel_id, device_id, api_key }: MadeDevice, port: number, loss: number, onSet: (value: number) => void): MqttClient {
  const base = `v1/${channel_id}/devices/${device_id}`;
  const client = mqtt.connect(`mqtt://127.0.0.1:${port}`, {
    username: `${channel_id}/${device_id}`,
    password: api_key,
    reconnectPeriod: 300,
    protocolVersion: 4,
  });
  client.on('connect', () => client.subscribe(`${base}/down`, { qos: 1 }));
  client.on('error', () => {});
  client.on('message', (_topic, payload) => {
    if (Math.random() < loss) return;
    const { payload: said } = JSON.parse(payload.toString()) as { payload: { set: number } };
    onSet(said.set);
    const times = Math.random() < loss ? 0 : Math.random() < 0.3 ? 2 : 1;
    for (let n = 0; n < times; n++)
      setTimeout(() => client.publish(`${base}/up`, JSON.stringify({ set: said.set }), { qos: 1 }), Math.random() * 300);
  });
  return client;
}
