import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished } from 'vitest';
import { makeDataFolder } from './data-folder.ts';
import { runsBundle } from './processes.ts';
import { type TestApp, testSecretKey } from './test-app.ts';

/** A worker as `npm start` runs it: a parent that watches over the role in a process of its own. */
export function realWorker(app: TestApp, settings: Record<string, string> = {}) {
  const workerPid = async (): Promise<number | undefined> => {
    const { rows } = await sql<{ pid: number }>`
      select pid from processes where role = 'worker' and heartbeat_at > now() - interval '3 seconds'`.execute(app.ctx.db);
    return rows[0]?.pid;
  };
  const start = async (): Promise<ChildProcess> => {
    const folder = await makeDataFolder('lost');
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL: app.databaseUrl,
      TELLTALE_SECRET_KEY: testSecretKey,
      TELLTALE_DATA: folder,
      TELLTALE_DEV: '1',
      ...runsBundle(),
      npm_lifecycle_event: 'test', // it ends with the test run, however that ends
      TELLTALE_LOG: 'error',
      PORT: '0',
      MQTT_PORT: '0',
      ...settings,
    };
    const parent = spawn(process.execPath, [join(import.meta.dirname, '..', 'main.ts'), 'worker'], { env, stdio: 'ignore' });
    onTestFinished(async () => {
      if (parent.exitCode === null && parent.signalCode === null) {
        const ended = new Promise((resolve) => parent.once('exit', resolve));
        parent.kill('SIGTERM');
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    });
    await expect.poll(workerPid).toBeTypeOf('number');
    return parent;
  };
  return { start, workerPid };
}
