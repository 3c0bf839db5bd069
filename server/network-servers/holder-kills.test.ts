import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { networksApi } from '@telltale/domain/networks/contract.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { applicationId, chirpStackUplink, heardAt } from '../networks/testing/messages.ts';
import { startConsole, stopped } from '../testing/chaos.ts';
import { foreignBroker } from '../testing/foreign-broker.ts';
import { storedOf } from '../testing/networks.ts';
import { testApp, testSecretKey } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';

const app = await testApp();
const admin = app.as(app.admin);
const broker = await foreignBroker();

test('one process holds a network; when it is killed -9 another takes over, and nothing is lost or doubled', async () => {
  const folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'telltale-holder-'))));
  const options = { address: `127.0.0.1:${broker.port}`, tls: false, application_id: applicationId };
  const { id } = await admin.get(networksApi.create, { body: { name: 'ChirpStack', type: 'chirpstack', options } });
  const settings = { network_id: id, application_id: applicationId };
  await admin.get(channelsApi.create, { body: { channel_id: 'held', kind: 'chirpstack', settings } });
  const consoles = await Promise.all(
    folders.map((folder) => startConsole(app.databaseUrl, folder, ['ingest'], { TELLTALE_SECRET_KEY: testSecretKey })),
  );
  const holder = async () => {
    const { rows } = await sql<{ holder: string; pid: number }>`
      select holder, pid from leases join processes on processes.id = leases.holder where leases.name = ${`network:${id}`}`.execute(
      app.ctx.db,
    );
    return rows[0];
  };
  let sent = 0;
  const report = () => {
    const n = sent++;
    const message = chirpStackUplink({ fCnt: n, deduplicationId: `held-${n}`, time: heardAt(n * 10) });
    return broker.publish(`application/${applicationId}/device/0101010101010101/event/up`, message);
  };
  const stored = async (count: number) =>
    (
      await until(
        () => storedOf(app, 'held', '0101010101010101'),
        ({ uplinks }) => uplinks.length >= count,
      )
    ).uplinks.length;
  try {
    await until(
      () => admin.get(networksApi.get, { params: { id } }),
      ({ state }) => state === 'connected',
    );
    const first = await holder();
    // Both processes run and could hold the network, but the broker sees one session of ours.
    expect(broker.clients().filter((name) => name.startsWith('telltale-'))).toHaveLength(1);
    for (let n = 0; n < 5; n++) await report();
    expect(await stored(5)).toBe(5);
    process.kill(first?.pid ?? 0, 'SIGKILL');
    // The broker keeps messages while no holder is connected, because the session is persistent.
    for (let n = 0; n < 5; n++) await report();
    expect(await stored(10)).toBe(10);
    const second = await holder();
    expect(second?.holder).not.toBe(first?.holder);
    expect(broker.clients().filter((name) => name.startsWith('telltale-'))).toHaveLength(1);
  } finally {
    await Promise.all(consoles.map(({ child }) => stopped(child)));
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  }
});
