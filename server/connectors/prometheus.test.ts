import { expect, test, vi } from 'vitest';
import { quickest } from '../testing/until.ts';
import { prometheus } from './prometheus.ts';
import { describeConnector } from './testing/describe-connector.ts';
import { sendJson, serverForTest } from './testing/local-server.ts';
import type { Program } from './testing/program.ts';
import { missingPrometheus, startPrometheus } from './testing/prometheus-server.ts';
import { runOnce, testEnv } from './testing/run-table.ts';

/** Creates `count` series over three hours by the second; the work grows with the square of `count`. */
const seriesQuery = (count: number) =>
  `query=${Array.from({ length: count }, (_, i) => `label_replace(vector(time()), "n", "series number ${i}", "", "")`).join(' or ')}&start=2026-01-02T00:00:00Z&end=2026-01-02T03:00:00Z&step=1s`;

let program: Program;
const metric = async (name: string) => {
  const text = await (await fetch(`http://127.0.0.1:${program.port}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
};

describeConnector(prometheus, {
  missing: missingPrometheus,
  setUp: async () => {
    program = await startPrometheus();
    // The server must have scraped itself twice.
    await vi.waitFor(
      async () =>
        expect((await runOnce(prometheus, { url: `http://127.0.0.1:${program.port}` }, 'count_over_time(up[1m]) > 1')).rows).toHaveLength(
          1,
        ),
      { timeout: 60_000, interval: 200 },
    );
  },
  tearDown: () => program.stop(),
  server: () => ({ host: '127.0.0.1', port: program.port }),
  options: (at) => ({ url: `http://127.0.0.1:${at?.port ?? program.port}/`, username: 'reader', password: 'canary-7f3a' }),
  sql: {
    one: 'up',
    values: {
      'a number': {
        query: 'query=scalar(vector(1.5))&time=2026-01-02T03:04:05.678Z',
        columns: { timestamp: 'datetime', value: 'float' },
        rows: [{ timestamp: '2026-01-02T03:04:05.678Z', value: 1.5 }],
      },
      'a text': {
        query: 'query="größe 🚀"&time=1767323045',
        columns: { timestamp: 'datetime', value: 'string' },
        rows: [{ timestamp: '2026-01-02T03:04:05Z', value: 'größe 🚀' }],
      },
      'labels are columns': {
        query: `query=label_replace(vector(0.1), "room", "Küche", "", "") or label_replace(vector(2), "floor", "1 & 2", "", "")&time=1767323045`,
        columns: { timestamp: 'datetime', value: 'float', room: 'string', floor: 'string' },
        rows: [
          { timestamp: '2026-01-02T03:04:05Z', value: 0.1, room: 'Küche', floor: null },
          { timestamp: '2026-01-02T03:04:05Z', value: 2, room: null, floor: '1 & 2' },
        ],
      },
      'a range': {
        query: 'query=vector(time() % 100 + 1)&start=2026-01-02T03:04:00Z&end=2026-01-02 03:04:20&step=10s',
        columns: { timestamp: 'datetime', value: 'float' },
        rows: [
          { timestamp: '2026-01-02T03:04:00Z', value: 41 },
          { timestamp: '2026-01-02T03:04:10Z', value: 51 },
          { timestamp: '2026-01-02T03:04:20Z', value: 61 },
        ],
      },
      'what is no number is null': {
        query: 'query=vector(0 / 0) or label_replace(vector(1 / 0), "a", "b", "", "")&time=1767323045',
        rows: [
          { timestamp: '2026-01-02T03:04:05Z', value: null, a: null },
          { timestamp: '2026-01-02T03:04:05Z', value: null, a: 'b' },
        ],
      },
      'large numbers': {
        query: 'query=vector(9007199254740991)&time=1767323045',
        rows: [{ timestamp: '2026-01-02T03:04:05Z', value: 9007199254740991 }],
      },
    },
    empty: { query: 'nothing_of_that_name', columns: { timestamp: 'datetime', value: 'float' } },
    // The query returns one series with many labels; two of the columns are its time and its value.
    wide: (columns) =>
      `query=${Array.from({ length: columns - 2 }, (_, i) => i).reduce((inner, i) => `label_replace(${inner}, "l${i}", "x", "", "")`, 'vector(1)')}`,
    many: { query: seriesQuery(20), rows: 20 * 10_801 },
    errors: {
      'a mistake has its place': { query: 'sum(\n  up by', line: 2, column: 6, message: /parse error/ },
      'also behind query=': { query: 'query=sum(up) foo', line: 1, column: 15, message: /parse error/ },
      'too many steps': { query: 'query=up&start=2020-01-01&end=2026-01-01&step=1s', message: /exceeded maximum resolution/ },
    },
    slow: {
      query: seriesQuery(120),
      isRunning: async () => (await metric('prometheus_engine_queries')) > 0,
    },
    // The answer is compressed.
    long: { query: seriesQuery(3), cutAfterBytes: 32 * 1024 },
  },
  schema: {
    tables: [
      {
        name: 'up',
        columns: [
          { name: 'timestamp', type: 'datetime' },
          { name: 'value', type: 'float' },
          { name: 'room', type: 'string' },
        ],
      },
    ],
  },
});

test('a server behind a token is asked with it, and warnings are told', async () => {
  const server = await serverForTest((_request, response) =>
    sendJson(response, { status: 'success', warnings: ['half of it is missing'], data: { resultType: 'vector', result: [] } }),
  );
  const { log, rows } = await runOnce(prometheus, { url: server.origin, token: 'canary-7f3a' }, 'up');
  expect({ log, rows }).toEqual({ log: ['half of it is missing'], rows: [] });
  expect(server.requests[0]?.headers.authorization).toBe('Bearer canary-7f3a');
});

test('design 8: a native histogram has a column of its own, so that the values stay numbers', async () => {
  const histogram = { count: '10', sum: '3.5', buckets: [[0, '0', '1', '10']] };
  const { origin } = await serverForTest((_request, response) =>
    sendJson(response, {
      status: 'success',
      data: {
        resultType: 'vector',
        result: [
          { metric: { a: 'b' }, histogram: [1767323045, histogram] },
          { metric: { a: 'c' }, value: [1767323045, '1.5'] },
        ],
      },
    }),
  );
  const { columns, rows } = await runOnce(prometheus, { url: origin }, 'h');
  expect(columns.map(({ name, type }) => [name, type])).toEqual([
    ['timestamp', 'datetime'],
    ['value', 'float'],
    ['histogram', null],
    ['a', 'string'],
  ]);
  expect(rows).toEqual([
    { timestamp: '2026-01-02T03:04:05Z', value: null, histogram, a: 'b' },
    { timestamp: '2026-01-02T03:04:05Z', value: 1.5, histogram: null, a: 'c' },
  ]);
});

test('something else that answers is named as what it is', async () => {
  const { origin } = await serverForTest(
    (_request, response) => void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>not here</h1>'),
  );
  await expect(runOnce(prometheus, { url: origin }, 'up')).rejects.toThrow(
    'The server does not answer as Prometheus does (404): <h1>not here</h1>',
  );
});

test('a schema of 50,000 columns is read in time', async () => {
  const names = Array.from({ length: 5000 }, (_, i) => `metric_${i}`);
  const labels = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`label_${i}`, 'x']));
  const { origin } = await serverForTest(({ url }, response) => {
    const isSeries = url.startsWith('/api/v1/series');
    const data = isSeries ? names.map((name) => ({ __name__: name, ...labels })) : url.startsWith('/api/v1/label/') ? names : {};
    sendJson(response, { status: 'success', data });
  });
  const { signal } = new AbortController();
  const connection = await prometheus.open({ url: origin }, testEnv(), signal);
  const took = await quickest(5000, async () => async () => {
    const found = await connection.schema(signal);
    expect(found.reduce((sum, { columns }) => sum + columns.length, 0)).toBe(50_000);
  });
  expect(took).toBeLessThan(5000);
});
