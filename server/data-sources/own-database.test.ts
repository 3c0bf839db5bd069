import { hostname } from 'node:os';
import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

/** The app runs as on a laptop: without DATABASE_URL, with its own cluster. */
const app = await testApp();
const admin = app.as(app.admin);
const port = Number(new URL(app.databaseUrl).port);

const body = (options: object) => ({ name: `Own ${Math.random()}`, type: 'pg', options: { dbname: 'telltale', port, ...options } });
const refusal = { status: 400, message: expect.stringContaining('own database') };

describe('design 9: a saved source may not address the embedded cluster', () => {
  test.each([
    '127.0.0.1',
    '127.0.0.2',
    '127.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    '0.0.0.0',
    '0',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'db.localhost',
    '::1',
    '[::1]',
    '0:0:0:0:0:0:0:1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    ' 127.0.0.1 ',
    '１２７.0.0.1',
    hostname(),
    undefined,
    null,
    '',
  ])('at %j', async (host) => {
    expect(await admin.call(dataSourcesApi.create, { body: body({ host }) })).toMatchObject(refusal);
    expect(await admin.call(dataSourcesApi.testUnsaved, { body: body({ host }) })).toMatchObject(refusal);
  });

  test('nor a saved one be moved there', async () => {
    const { id, name } = await admin.get(dataSourcesApi.create, { body: body({ host: 'db.example.com' }) });
    expect(await admin.call(dataSourcesApi.save, { params: { id }, body: { ...body({}), name } })).toMatchObject(refusal);
    expect(await admin.call(dataSourcesApi.testUnsaved, { body: { ...body({}), id } })).toMatchObject(refusal);
  });

  test('also when the port is the text of it', async () => {
    expect(await admin.call(dataSourcesApi.create, { body: body({ host: 'localhost', port: ` ${port} ` }) })).toMatchObject(refusal);
  });

  test('another server on this machine, or the same port elsewhere, is fine', async () => {
    expect((await admin.call(dataSourcesApi.create, { body: body({ host: 'localhost', port: port + 1 }) })).status).toBe(200);
    expect((await admin.call(dataSourcesApi.create, { body: body({ host: '10.0.0.1' }) })).status).toBe(200);
  });
});
