import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { nobody } from '@telltale/domain/access/identity.ts';
import { sql } from 'kysely';
import { createCtx } from '../platform/context.ts';
import type { Db } from '../platform/database.ts';
import { uplinkFigures } from '../uplinks/gone-writers.ts';
import { makeDevices } from './fleet.ts';
import { ReliableSender } from './mqtt-sender.ts';
import { startOwnDatabase } from './own-database.ts';
import { childrenOf, isAlive, runsBundle } from './processes.ts';

export interface ChaosPlan {
  senders: number;
  messages: number;
  pauseMs: number;
  roles: string[];
  /** The processes to kill, in this order and again from the beginning. */
  victims: ('ingest' | 'web' | 'worker' | 'postgres')[];
  kills: number;
}

const main = join(import.meta.dirname, '..', 'main.ts');

/** Senders report while the receiving processes are killed: every acknowledged message must be stored exactly once. */
export async function runChaos(plan: ChaosPlan) {
  const { dataFolder, postgres, services, stop } = await startOwnDatabase('chaos', 3);
  const fleet = await makeDevices(createCtx(services, nobody), 'chaos', plan.senders);
  const { child, port } = await startConsole(postgres.url, dataFolder, plan.roles);
  try {
    const senders = fleet.map((device) => new ReliableSender(device, port));
    const total = () => senders.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
    let isOver = false;
    const killing = (async () => {
      let [kills, seen] = [0, 0];
      while (!isOver && kills < plan.kills) {
        await delay(20 + Math.random() * 100);
        // The next kill waits until messages are stored again.
        if (total() - seen < plan.senders * plan.messages * (0.8 / plan.kills)) continue;
        const victim = plan.victims[kills % plan.victims.length] ?? 'ingest';
        const pid = victim === 'postgres' ? postgres.pid : childrenOf(child.pid ?? 0, `main.ts ${victim}`)[0];
        if (!pid || !isAlive(pid)) continue;
        seen = total();
        process.kill(pid, 'SIGKILL');
        kills++;
      }
      return kills;
    })();
    const numbers = Array.from({ length: plan.messages }, (_, n) => `{"n":${n}}`);
    await Promise.all(senders.map((sender) => sender.sendAll(numbers, plan.pauseMs)));
    isOver = true;
    const kills = await killing;
    await answering(services.db);
    const { rows } = await sql<{ uplinks: number; distinct: number }>`
      select (select count(*)::int from telemetry.uplink) as uplinks,
        (select count(*)::int from (select distinct device_pk, value from telemetry.metric_point join telemetry.attribute on attribute.id = attribute_id
          where name = 'n') each) as distinct`.execute(services.db);
    const sum = (pick: (sender: ReliableSender) => number) => senders.reduce((all, sender) => all + pick(sender), 0);
    return {
      kills,
      sent: plan.senders * plan.messages,
      acknowledged: total(),
      reconnects: sum(({ reconnects }) => reconnects),
      outOfOrder: sum(({ outOfOrder }) => outOfOrder),
      uplinks: rows[0]?.uplinks ?? 0,
      distinct: rows[0]?.distinct ?? 0,
      figures: await uplinkFigures(services.db),
    };
  } finally {
    await stopped(child);
    await stop();
  }
}

/** The last killed process may have been the database: it is back in a moment. */
async function answering(db: Db): Promise<void> {
  for (let left = 300; ; left--) {
    try {
      await sql`select 1`.execute(db);
      return;
    } catch (error) {
      if (left === 0) throw error;
      await delay(100);
    }
  }
}

/** Roles in processes of their own, on a database of the test. */
export async function startConsole(
  databaseUrl: string,
  dataFolder: string,
  roles: string[],
  settings: Record<string, string> = {},
): Promise<{ child: ChildProcess; port: number; webPort: number }> {
  const child = spawn(process.execPath, [main, ...roles], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      TELLTALE_DATA: dataFolder,
      PORT: '0',
      MQTT_PORT: 'auto',
      TELLTALE_RATE_DEVICE: '0',
      TELLTALE_RATE_CHANNEL: '0',
      TELLTALE_DEV: '1',
      ...runsBundle(),
      // Under npm the server ends with its starter, so a killed test run leaves nothing behind.
      npm_lifecycle_event: 'test',
      TELLTALE_LOG: 'silent',
      TELLTALE_SECRET_KEY: 'a-key-for-chaos-only-0123456789-abcdefghijklmnop',
      ...settings,
    },
  });
  let said = '';
  for await (const chunk of child.stdout ?? []) {
    said += chunk;
    const port = /mqtt:\/\/localhost:(\d+)/.exec(said)?.[1];
    if (port) {
      child.stdout?.resume();
      return { child, port: Number(port), webPort: Number(/http:\/\/localhost:(\d+)/.exec(said)?.[1]) };
    }
  }
  throw new Error(`The console did not start: ${said}`);
}

export function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
