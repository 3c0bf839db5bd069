import { request } from 'node:http';
import { platform } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, inject, test } from 'vitest';
import { childrenOf, peakMb } from '../testing/processes.ts';
import { runAdHoc } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';
import { deleteResult } from './results.store.ts';

const executorsOf = () => childrenOf(process.pid, 'executor/child.ts');
/** Files share their process: executors of an earlier one may still be leaving. */
const earlier = new Set(executorsOf());

/** W34 and W35: results that are too large to be held in memory. Here 200,000 rows, 60 MB as JSON. */
const app = await testApp({ env: { DATABASE_URL: inject('postgres').url, TELLTALE_MAX_BYTES: '70000000' } });
const target = await targetDatabase();
await app.startWorker();
const client = app.as(app.admin);
const source = await app.make.dataSource({ options: target.options });

const rowCount = 200_000;
/** A server that keeps the whole result anywhere exceeds this. */
const oneCopyMb = 55;
const query = `select i as id, repeat(md5(i::text), 8) as text from generate_series(1, ${rowCount}) i`;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Returns the memory in use after a collection: uncollected garbage depends on how busy the machine is. The second collection waits until the
 * buffers that the first one found are released, which happens beside it.
 */
function heldMb(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024 ** 2;
}

/** Returns by how much the memory in use grows while `work` runs. Web process, worker and client share this process. */
async function growthMb(work: () => Promise<void>): Promise<number> {
  const before = heldMb();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, heldMb());
  }, 200);
  await work().finally(() => clearInterval(timer));
  return most - before;
}

async function start(path: string, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(app.origin);
  return new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    const sent = request({ hostname, port, path, headers: { authorization: `Key ${app.admin.api_key}`, ...headers } }, resolve);
    sent.on('error', reject).end();
  });
}

async function sizeOf(path: string, headers?: Record<string, string>): Promise<number> {
  let size = 0;
  for await (const bytes of await start(path, headers)) size += (bytes as Buffer).length;
  return size;
}

async function runToEnd(text: string): Promise<number> {
  const answer = await client.json('POST', '/api/query_results', { data_source_id: source.id, query: text, max_age: 0 });
  const { job } = (await answer.json()) as { job: { id: string } };
  for (;;) {
    const polled = (await (await client.json('GET', `/api/jobs/${job.id}`)).json()) as {
      job: { status: number; result: number; error: string };
    };
    expect(polled.job.status, polled.job.error).not.toBe(4);
    if (polled.job.status === 3) return polled.job.result;
    await delay(50);
  }
}

await runAdHoc(client, { data_source_id: source.id, query: 'select 1' });
let id = 0;

describe.runIf(platform() === 'linux')('memory stays flat', () => {
  test('while the rows come in', async () => {
    const growth = await growthMb(async () => {
      id = await runToEnd(query);
    });
    expect(growth).toBeLessThan(oneCopyMb);
    const peaks = executorsOf()
      .filter((pid) => !earlier.has(pid))
      .map(peakMb);
    expect(Math.max(...peaks)).toBeLessThan(350);
  });

  test('while it is read, by several at once and in every form', async () => {
    const sizes: Record<string, number> = {};
    const ofOne = await growthMb(async () => {
      await sizeOf(`/api/query_results/${id}`, { 'accept-encoding': 'identity' });
    });
    expect(ofOne).toBeLessThan(oneCopyMb);
    const growth = await growthMb(async () => {
      const four = Array.from({ length: 4 }, () => sizeOf(`/api/query_results/${id}`, { 'accept-encoding': 'identity' }));
      sizes.plain = Math.min(...(await Promise.all(four)));
      sizes.gzip = await sizeOf(`/api/query_results/${id}`, { 'accept-encoding': 'gzip' });
      sizes.csv = await sizeOf(`/api/query_results/${id}.csv`, { 'accept-encoding': 'identity' });
    });
    // A copy for each reader would be four; their buffers on both ends of the connections are in this process, too.
    expect(growth).toBeLessThan(2 * oneCopyMb);
    expect(sizes.plain).toBeGreaterThan(55_000_000);
    expect(sizes.csv).toBeGreaterThan(50_000_000);
    expect(sizes.gzip).toBeLessThan(30_000_000);
  });

  test('while somebody reads slowly, and others are served meanwhile', async () => {
    const growth = await growthMb(async () => {
      const slow = await Promise.all(
        ['', '.csv', '.xlsx'].map((type) => start(`/api/query_results/${id}${type}`, { 'accept-encoding': 'identity' })),
      );
      await delay(1500);
      expect((await runAdHoc(client, { data_source_id: source.id, query: 'select 2 as n' })).rows).toEqual([{ n: 2 }]);
      for (const response of slow) response.destroy();
    });
    expect(growth).toBeLessThan(oneCopyMb);
  });

  test('somebody who hangs up in the middle costs nothing more', async () => {
    for (const type of ['', '.csv', '.xlsx']) {
      const response = await start(`/api/query_results/${id}${type}`);
      await new Promise((resolve) => response.once('data', resolve));
      response.destroy();
    }
    expect((await client.fetch('/ping')).status).toBe(200);
  });
});

test.each(['', '.json', '.csv', '.tsv', '.xlsx'])(
  'a result that is deleted while it is read breaks off, it does not end: %s',
  async (type) => {
    const all = 'select i, md5(i::text) || md5((i + 1)::text) as text from generate_series(1, 400000) i';
    const read = await runToEnd(`${all} /* ${type} */`);
    const response = await start(`/api/query_results/${read}${type}`, { 'accept-encoding': 'identity' });
    expect(response.statusCode).toBe(200);
    await deleteResult(app.ctx.db, read);
    await expect(
      (async () => {
        for await (const _ of response);
      })(),
    ).rejects.toThrow('aborted');
  },
);

test('W35: rows without end stop at the limit of bytes with a sentence, and other queries run meanwhile', async () => {
  const endless = `select repeat('x', 10000) as text from generate_series(1, 10000) a, generate_series(1, 10000) b`;
  const outcome = runAdHoc(client, { data_source_id: source.id, query: endless });
  expect((await runAdHoc(client, { data_source_id: source.id, query: 'select 3 as n' })).rows).toEqual([{ n: 3 }]);
  expect(await outcome).toMatchObject({ error: expect.stringMatching(/larger|MB|bytes/), rows: undefined });
});
