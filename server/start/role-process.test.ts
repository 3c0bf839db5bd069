import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startConsole, stopped } from '../testing/chaos.ts';
import { childrenOf } from '../testing/processes.ts';
import { tcpProxy } from '../testing/tcp-proxy.ts';
import { testApp } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';

test('a role whose parent was killed while it loaded ends at once and never becomes a parent itself', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-role-'));
  const env = { PATH: process.env.PATH, TELLTALE_CHILD: '1', TELLTALE_DATA: folder, PORT: '0', MQTT_PORT: 'auto', TELLTALE_DEV: '1' };
  // The process has no channel, like one whose parent is gone.
  const role = spawn(process.execPath, [join(import.meta.dirname, '..', 'main.ts'), 'worker'], { env, stdio: 'ignore' });
  try {
    const code = await new Promise((resolve) => role.once('exit', resolve));
    expect(code).toBe(1);
    expect((await readdir(folder)).filter((name) => !name.includes('cache'))).toEqual([]);
  } finally {
    role.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});

test('a role that starts while the database is away ends and is started again, until the database is back', async () => {
  const app = await testApp();
  const folder = await mkdtemp(join(tmpdir(), 'telltale-role-'));
  const database = await tcpProxy(app.databaseUrl);
  const { child } = await startConsole(database.url, folder, ['worker', 'ingest']);
  const worker = () => childrenOf(child.pid ?? 0, 'main.ts worker')[0];
  try {
    const first = (await until(worker, (pid) => pid !== undefined)) ?? 0;
    await database.cut();
    process.kill(first, 'SIGKILL');
    const second = await until(worker, (pid) => pid !== undefined && pid !== first);
    // The one that found no database has ended when another one is there.
    const third = await until(worker, (pid) => pid !== undefined && pid !== first && pid !== second);
    expect(third).not.toBe(second);
    await database.mend();
    const registered = async () =>
      (
        await sql`select from processes where role = 'worker' and pid <> ${first} and heartbeat_at > now() - interval '2 seconds'`.execute(
          app.ctx.db,
        )
      ).rows.length;
    expect(await until(registered, (count) => count === 1)).toBe(1);
  } finally {
    await stopped(child);
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
