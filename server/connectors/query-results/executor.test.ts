import { afterAll, beforeAll, expect, test } from 'vitest';
import { ExecutorError } from '../../executor/pool.ts';
import type { Chunk } from '../../wire/chunk.ts';
import { ChunkWriter } from '../../wire/chunk-writer.ts';
import type { ResultReader } from '../connector.ts';
import { type Executors, residentMb, startExecutors } from '../testing/executors.ts';

let executors: Executors | undefined;
const source = { type: 'results', options: {} };
const run: Executors['run'] = (...given) => (executors as Executors).run(...given);

beforeAll(() => {
  executors = startExecutors(undefined, 1);
});
afterAll(() => executors?.close());

async function stored(rows: Iterable<object>): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  const writer = new ChunkWriter((chunk) => void chunks.push(chunk));
  for (const row of rows) if (!writer.push(JSON.stringify(row))) await writer.ready();
  await writer.finish();
  return chunks;
}

const columns = [
  { name: 'id', type: 'integer' },
  { name: 'name', type: 'string' },
];
const numbered = function* (from: number, count: number) {
  for (let id = from; id < from + count; id++) yield { id, name: `device ${id}` };
};
/** Returns the rows for each name and counts the requested chunks. */
const reader = (results: Record<string, Chunk[]>, seen = { chunks: 0 }): ResultReader => {
  return async (name) => {
    const chunks = results[name];
    if (!chunks) throw new Error(`You do not have access to ${name}.`);
    return {
      columns,
      chunks: (async function* () {
        for (const chunk of chunks) {
          seen.chunks++;
          yield chunk;
        }
      })(),
    };
  };
};

test('two results are joined in a process of their own', async () => {
  const results = reader({ query_1: await stored(numbered(1, 10)), cached_query_2: await stored(numbered(8, 10)) });
  const { rows, done } = await run(source, 'select a.id, b.name from query_1 a join cached_query_2 b using (id) order by 1', { results });
  expect(rows).toEqual([8, 9, 10].map((id) => ({ id, name: `device ${id}` })));
  expect(done.outcome?.columns.map(({ type }) => type)).toEqual(['integer', 'string']);
});

test('security 7: the engine reaches no file', async () => {
  const results = reader({ query_1: await stored(numbered(1, 1)) });
  for (const query of [
    `select * from read_text('/etc/passwd')`,
    `select * from read_csv('/proc/self/environ'), query_1`,
    `copy (select * from query_1) to '/tmp/telltale-out'`,
    `attach '/tmp/telltale-out' as x`,
  ]) {
    await expect(run(source, query, { results })).rejects.toBeInstanceOf(ExecutorError);
  }
});

test('a result one may not read, or that breaks off, fails the statement and nothing else', async () => {
  const good = await stored(numbered(1, 5));
  const broken: ResultReader = async () => ({
    columns,
    chunks: (async function* () {
      yield* good;
      throw new Error('The stored result is damaged.');
    })(),
  });
  await expect(run(source, 'select * from query_9', { results: reader({}) })).rejects.toThrow('You do not have access to query_9.');
  await expect(run(source, 'select * from query_1', { results: broken })).rejects.toThrow('The stored result is damaged.');
  await expect(run(source, 'select * from query_1')).rejects.toThrow('There is no result named query_1.');
  expect((await run(source, 'select count(*) as n from query_1', { results: reader({ query_1: good }) })).rows).toEqual([{ n: 5 }]);
});

test('rows of a statement that was cancelled while loading do not reach the next one', async () => {
  const old = await stored(numbered(1, 400_000));
  const fresh = await stored(numbered(1, 3));
  for (let i = 0; i < 5; i++) {
    const controller = new AbortController();
    const seen = { chunks: 0 };
    const first = run(source, 'select count(*) as n from query_1', { results: reader({ query_1: old }, seen), signal: controller.signal });
    first.catch(() => {});
    await expect.poll(() => seen.chunks, { interval: 5 }).toBeGreaterThan(5);
    controller.abort(new Error('stopped'));
    const second = run(source, 'select count(*) as n from query_1', { results: reader({ query_1: fresh }) });
    await expect(first).rejects.toThrow('stopped');
    expect((await second).rows).toEqual([{ n: 3 }]);
    expect(seen.chunks).toBeLessThan(old.length);
  }
});

test('an endless statement is cancelled, and its process lives on', async () => {
  await run(source, 'select 1 as a');
  const before = await executors?.pids();
  const query = 'select count(*) as n from range(100000000) a, range(1000000) b where a.range + b.range = 7';
  await expect(run(source, query, { signal: AbortSignal.timeout(700) })).rejects.toThrow(/timeout|aborted/i);
  expect(await executors?.pids()).toEqual(before);
  expect((await run(source, 'select 1 as a')).rows).toEqual([{ a: 1 }]);
});

test('a million rows in, a million rows out, in bounded memory', async () => {
  const results = reader({ query_1: await stored(numbered(0, 1_000_000)) });
  let largest = 0;
  const watch = setInterval(async () => {
    for (const pid of (await executors?.pids()) ?? []) largest = Math.max(largest, await residentMb(pid));
  }, 100);
  const { done } = await run(source, 'select q.id, q.name from query_1 q order by q.name desc', { results, isCounted: true });
  clearInterval(watch);
  expect(done.outcome?.size.rows).toBe(1_000_000);
  expect(largest).toBeLessThan(650);
});

test('a value no process can hold ends as a failure', async () => {
  await expect(run(source, `select repeat('x', 600000000) as x`)).rejects.toBeInstanceOf(ExecutorError);
  await expect(run(source, `select string_agg(repeat('x', 1000000), '') as x from range(3000)`)).rejects.toBeInstanceOf(ExecutorError);
  expect((await run(source, 'select 1 as a')).rows).toEqual([{ a: 1 }]);
});
