import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TargetDatabase, targetDatabase } from '../testing/target-database.ts';
import { iotData } from './iot-data.ts';
import { addressOf } from './postgres/address.ts';
import { closedPort } from './testing/cutting-proxy.ts';
import { runOnce } from './testing/run-table.ts';

let target: TargetDatabase;
beforeAll(async () => {
  target = await targetDatabase();
});

/** Forwards connections at this place to the test server. */
async function doorAt<T>(place: { port: number; host: string } | { path: string }, work: () => Promise<T>): Promise<T> {
  const server = createServer((near) => {
    const far = connect(target.options.port, target.options.host);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(place, resolve));
  return work().finally(() => new Promise((resolve) => server.close(resolve)));
}

describe('the reader’s address is read as our own database’s is', () => {
  test.each([
    ['postgres://me@db.example/plant', { ssl: false, host: 'db.example', port: 5432, user: 'me', database: 'plant' }],
    ['postgres://me:p%40ss@[::1]:6000/a%20b', { host: '::1', port: 6000, password: 'p@ss', database: 'a b' }],
    ['postgres://me@db/plant?host=/run/postgresql', { host: '/run/postgresql' }],
    ['postgres://me@%2Frun%2Fpostgresql/plant', { host: '/run/postgresql' }],
    ['postgres://db/plant?user=me&password=secret', { user: 'me', password: 'secret' }],
    ['postgres://me@db/plant?sslmode=disable', { ssl: false }],
    ...['prefer', 'require', 'verify-ca', 'verify-full'].map((mode) => [`postgres://me@db/plant?sslmode=${mode}`, { ssl: {} }] as const),
    ['postgres://me@db/plant?sslmode=no-verify', { ssl: { rejectUnauthorized: false } }],
    ['postgres://me@db/plant?options=-c%20work_mem%3D4MB', { options: '-c work_mem=4MB' }],
  ] as const)('%s', async (url, expected) => {
    expect(await addressOf(url)).toMatchObject(expected);
  });
});

test('IoT data by an IPv6 address', async () => {
  const port = await closedPort();
  const url = new URL(target.url);
  url.host = `[::1]:${port}`;
  await doorAt({ host: '::1', port }, async () =>
    expect((await runOnce(iotData, { url: String(url), pass: 'none' }, 'select 1 as one')).rows).toEqual([{ one: 1 }]),
  );
});

test('IoT data by a local socket, where a statement can be cancelled too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-socket-'));
  const url = new URL(target.url);
  url.hostname = 'nobody.invalid';
  url.searchParams.set('host', folder);
  try {
    await doorAt({ path: join(folder, `.s.PGSQL.${url.port}`) }, async () => {
      expect((await runOnce(iotData, { url: String(url), pass: 'none' }, 'select 1 as one')).rows).toEqual([{ one: 1 }]);
      const slow = runOnce(iotData, { url: String(url), pass: 'none' }, 'select pg_sleep(60)', { signal: AbortSignal.timeout(500) });
      await expect(slow).rejects.toThrow('canceling statement due to user request');
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('settings that the address brings are kept beside ours', async () => {
  const url = new URL(target.url);
  url.searchParams.set('options', '-c work_mem=5MB -c timezone=Asia/Tokyo');
  const query = `select current_setting('work_mem') as memory, current_setting('timezone') as zone`;
  expect((await runOnce(iotData, { url: String(url), pass: 'none' }, query)).rows).toEqual([{ memory: '5MB', zone: 'UTC' }]);
});
