import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { destinationsApi } from '@telltale/domain/destinations/contract.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startConsole, stopped } from '../testing/chaos.ts';
import { makeDevices } from '../testing/fleet.ts';
import { hookServer } from '../testing/hook-server.ts';
import { ReliableSender } from '../testing/mqtt-sender.ts';
import { childrenOf } from '../testing/processes.ts';
import { tcpProxy } from '../testing/tcp-proxy.ts';
import { testApp, testSecretKey } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';

const [devices, changes] = [20, 50];
const total = devices * changes;
const victims = ['worker', 'destination', 'database', 'ingest'] as const;

const app = await testApp({ env: { TELLTALE_ALLOW_PRIVATE: '*' } });
const admin = app.as(app.admin);
const hooks = [await hookServer()];
const url = hooks[0]?.url ?? '';

test('kill -9 of worker and ingest, a destination and a database that are away: each of 1,000 changes is notified under its own key, none is lost', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'telltale-alerts-'));
  const fleet = await makeDevices(app.ctx, 'plant', devices);
  const destination = await admin.get(destinationsApi.create, { body: { name: 'Hook', type: 'webhook', options: { url: `${url}/hook` } } });
  const options = { kind: 'device', channel_id: 'plant', attribute: 't', op: '>', value: 10 };
  const alert = await admin.get(alertsApi.create, { body: { name: 'Hot', options, rearm: 0 } as never });
  await admin.get(alertsApi.subscribe, { params: { id: alert.id }, body: { destination_id: destination.id } });
  const database = await tcpProxy(app.databaseUrl);
  const console = await startConsole(database.url, dataFolder, ['worker', 'ingest'], {
    TELLTALE_ALLOW_PRIVATE: '127.0.0.1',
    TELLTALE_SECRET_KEY: testSecretKey,
  });
  try {
    const senders = fleet.map((device) => new ReliableSender(device, console.port));
    const acknowledged = () => senders.reduce((sum, sender) => sum + sender.acknowledged, 0);
    const killing = (async () => {
      for (const [number, victim] of victims.entries()) {
        // Each fails in the middle of the work, after another fifth of the readings.
        await until(acknowledged, (count) => count >= (total * (number + 1)) / (victims.length + 1), 120_000);
        await delay(Math.random() * 50);
        if (victim === 'destination') {
          await hooks.at(-1)?.close();
          await delay(100);
          hooks.push(await hookServer(Number(new URL(url).port)));
        } else if (victim === 'database') {
          await database.cut();
          await delay(2000);
          await database.mend();
        } else {
          const find = () => childrenOf(console.child.pid ?? 0, `main.ts ${victim}`)[0];
          process.kill((await until(find, (pid) => pid !== undefined)) ?? 0, 'SIGKILL');
        }
      }
    })();
    const readings = Array.from({ length: changes }, (_, n) => `{"t":${n % 2 === 0 ? 20 : 1}}`);
    await Promise.all([...senders.map((sender) => sender.sendAll(readings, 20)), killing]);

    const count = async () => {
      // The pauses between attempts are not waited for.
      await delay(500);
      await sql`update jobs set run_at = now() where run_at > now()`.execute(app.ctx.db);
      const { rows } = await sql<{ sent: number; all: number; left: number }>`
        select count(*) filter (where status = 'sent')::int as sent, count(*)::int as all, (select count(*)::int from uplink_matches) as left
        from notice_deliveries`.execute(app.ctx.db);
      return rows[0] ?? { sent: 0, all: 0, left: 0 };
    };
    expect(await until(count, ({ sent, left }) => sent >= total && left === 0, 180_000)).toEqual({ sent: total, all: total, left: 0 });
    const { rows } = await sql<{ key: string; device_id: string; state: string }>`
      select key, device_id, notice -> 'alert' ->> 'state' as state from notice_deliveries order by id`.execute(app.ctx.db);
    const arrived = new Set(hooks.flatMap(({ calls }) => calls).map(({ headers }) => headers['x-telltale-delivery']));
    expect(rows.filter(({ key }) => !arrived.has(key))).toEqual([]);
    expect(arrived.size).toBe(total);
    const expected = readings.map((_, n) => (n % 2 === 0 ? 'triggered' : 'ok'));
    for (const { device_id } of fleet)
      expect(rows.filter((row) => row.device_id === device_id).map(({ state }) => state)).toEqual(expected);
  } finally {
    await stopped(console.child);
    await database.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
});
