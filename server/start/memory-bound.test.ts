import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { iotData } from '../connectors/iot-data.ts';
import { runTable, testEnv } from '../connectors/testing/run-table.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { usualBackendBytes, withMemoryBound } from './memory-bound.ts';
import { temporaryFolder } from './testing.ts';

const mebibyte = 1024 ** 2;

test('the limit follows the machine, within bounds', () => {
  expect([1, 8, 64].map((gibibytes) => Math.floor(usualBackendBytes(gibibytes * 1024 * mebibyte) / mebibyte))).toEqual([384, 682, 1024]);
  expect(withMemoryBound('postgres', ['-D', 'x'], 0)).toEqual(['postgres', ['-D', 'x']]);
});

/** Each takes a gigabyte or more of one process, however small work_mem is. */
const hungry = [
  `select array_agg(repeat('x', 1000000) || i) from generate_series(1, 2000) i`,
  `select string_agg(repeat('a', 1000000), '' order by i), string_agg(repeat('b', 1000000), '' order by i desc) from generate_series(1, 900) i`,
  `select ${Array.from({ length: 6 }, (_, i) => `length(repeat('y', 200000000) || ${i}) as c${i}, repeat('z', 200000000 + ${i}) as d${i}`).join()}`,
];

test.skipIf(process.platform !== 'linux')(
  'security 32: a SELECT that needs too much memory fails with a sentence, and nobody else notices',
  async () => {
    const server = await startEmbeddedPostgres({
      dataFolder: join(await temporaryFolder(), 'data'),
      durable: false,
      backendBytes: 160 * mebibyte,
    });
    onTestFinished(() => server.stop());
    const other = new pg.Client({ connectionString: server.url });
    let isLost = false;
    other.on('error', () => (isLost = true));
    await other.connect();
    onTestFinished(() => other.end());
    await other.query('create temp table t as select 1 as a');
    const limits = await readFile(`/proc/${server.pid}/limits`, 'utf8');
    expect(limits).toMatch(new RegExp(`Max data size +${160 * mebibyte} `));
    const { pid } = server;
    const reader = await iotData.open({ url: server.url, pass: 'none' }, testEnv(), new AbortController().signal);
    onTestFinished(() => reader.close());
    for (const query of hungry)
      await expect(runTable(reader, query)).rejects.toThrow('This query needs more memory than one query may use.');
    expect((await runTable(reader, 'select 1 as a')).rows).toEqual([{ a: 1 }]);
    expect((await other.query('select a from t')).rows).toEqual([{ a: 1 }]);
    expect([isLost, server.pid]).toEqual([false, pid]);
  },
);
