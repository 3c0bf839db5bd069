import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';
import { copyOut } from './copy-out.ts';
import { backendOf, hangUp, streamOf, submit } from './pg-internals.ts';

const app = await testApp();
const clients: pg.Client[] = [];
const pool = new pg.Pool({ connectionString: app.databaseUrl, max: 1, query_timeout: 5000 });
afterAll(async () => {
  for (const client of clients) hangUp(client);
  await pool.end();
});

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: app.databaseUrl });
  client.on('error', () => {});
  clients.push(client);
  await client.connect();
  return client;
}

const missing = (member: string) => `This version of pg has no ${member} any more: server/platform/pg-internals.ts needs another way.`;

describe('members of pg that its types leave out', () => {
  test('a client has the members that pg-internals.ts names', async () => {
    const client = (await connected()) as unknown as Record<string, unknown> & { connection: Record<string, unknown> };
    for (const member of ['processID', 'secretKey']) expect(client[member], missing(`client.${member}`)).toBeTypeOf('number');
    expect(client.connection, missing('client.connection')).toBeTypeOf('object');
    expect(client.connection.stream, missing('client.connection.stream')).toBeTypeOf('object');
    for (const method of ['query', 'sendCopyFromChunk', 'endCopyFrom'])
      expect(client.connection[method], missing(`client.connection.${method}()`)).toBeTypeOf('function');
  });

  test('backendOf() names the server process of the connection', async () => {
    const client = await connected();
    const { rows } = await client.query('select pg_backend_pid() as pid');
    expect(backendOf(client).processID).toBe(rows[0].pid);
  });

  test('hangUp() ends a connection at once, also while a statement runs', async () => {
    const client = await connected();
    const ended = new Promise((resolve) => client.once('end', resolve));
    const running = client.query('select pg_sleep(60)');
    hangUp(client);
    await expect(running).rejects.toThrow('Connection terminated');
    await ended;
    expect(streamOf(client).destroyed).toBe(true);
  });

  test('submit() sends statements with the rows of their COPY, and queries go on afterwards', async () => {
    const client = await connected();
    await client.query('create temp table copied (n integer)');
    await new Promise<void>((resolve, reject) =>
      submit(client, {
        send(wire) {
          wire.query('copy copied from stdin; insert into copied select 40');
          wire.sendCopyFromChunk(Buffer.from('1\n2\n'));
          wire.endCopyFrom();
        },
        done: resolve,
        failed: reject,
      }),
    );
    expect((await client.query('select sum(n)::int as sum from copied')).rows).toEqual([{ sum: 43 }]);
  });

  test('submit() reports a fault of the server, and the connection stays usable', async () => {
    const client = await connected();
    const fault = await new Promise((resolve, reject) =>
      submit(client, {
        send: (wire) => wire.query('select 1 / 0'),
        done: () => reject(new Error('the statement did not fail')),
        failed: (error, isLost) => resolve([error.message, isLost]),
      }),
    );
    expect(fault).toEqual(['division by zero', false]);
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('submit() reports a lost connection', async () => {
    const client = await connected();
    const isLost = await new Promise((resolve) => {
      submit(client, { send: (wire) => wire.query('select pg_sleep(60)'), done: () => {}, failed: (_error, lost) => resolve(lost) });
      hangUp(client);
    });
    expect(isLost).toBe(true);
  });
});

describe('copyOut', () => {
  test('rows come as the bytes of their fields, null for NULL', async () => {
    const rows = await copyOut(pool, `select 7, 'ä', null::text union all select 8, '', 'b' order by 1`);
    expect(rows.map(([number, text, last]) => [number?.readInt32BE(), String(text), last && String(last)])).toEqual([
      [7, 'ä', null],
      [8, '', 'b'],
    ]);
  });

  test('a fault of the server is thrown at once, and the next read uses the same connection', async () => {
    const pid = async () => (await copyOut(pool, 'select pg_backend_pid()'))[0]?.[0]?.readInt32BE();
    const before = await pid();
    await expect(copyOut(pool, 'select 1 / (n - 2) from generate_series(1, 3) n')).rejects.toThrow('division by zero');
    expect(await pid()).toBe(before);
  });
});
