import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { ColumnType } from '@telltale/domain/results/contract.ts';
import { describe, expect, test } from 'vitest';
import type { Chunk } from '../wire/chunk.ts';
import { ChunkWriter } from '../wire/chunk-writer.ts';
import type { ResultReader } from './connector.ts';
import { tableColumnNames } from './query-results/load.ts';
import { queryResults } from './query-results.ts';
import { describeConnector } from './testing/describe-connector.ts';
import { type RunOptions, runOnce } from './testing/run-table.ts';

type Rows = Record<string, unknown>[];

/** Encodes rows as a stored result. */
async function stored(rows: Iterable<object>, chunkRows = 3): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  const writer = new ChunkWriter((chunk) => void chunks.push(chunk), { chunkRows });
  for (const row of rows) if (!writer.push(JSON.stringify(row))) await writer.ready();
  await writer.finish();
  return chunks;
}

interface Given {
  columns: Record<string, ColumnType>;
  rows: Rows;
}

/** A reader that only knows these results. */
const reader =
  (results: Record<string, Given>): ResultReader =>
  async (name) => {
    const given = results[name];
    if (!given) throw new Error(`You do not have access to ${name}.`);
    const chunks = await stored(given.rows);
    return {
      columns: Object.entries(given.columns).map(([column, type]) => ({ name: column, type })),
      chunks: (async function* () {
        yield* chunks;
      })(),
    };
  };

const devices: Given = {
  columns: { id: 'integer', 'site.name': 'string', 'first "seen"': 'datetime' },
  rows: [
    { id: 1, 'site.name': 'Kraków', 'first "seen"': '2026-01-31T10:00:00Z' },
    { id: 2, 'site.name': '温度', 'first "seen"': '2026-02-28T10:00:00.500Z' },
    { id: 3, 'site.name': null, 'first "seen"': null },
    { id: 4, 'site.name': 'x', 'first "seen"': '2026-01-01T00:00:00Z' },
  ],
};
const readings: Given = {
  columns: { device: 'integer', value: 'float', ok: 'boolean', day: 'date', extra: null },
  rows: [
    { device: 1, value: 1.5, ok: true, day: '2026-01-31', extra: { a: [1] } },
    { device: 1, value: 2, ok: false, day: '2026-02-01', extra: null },
    { device: 2, value: null, ok: null, day: null, extra: ['x'] },
  ],
};

const numbers: Given = {
  columns: { n: 'integer', long: 'integer', money: 'float', pi: 'float' },
  rows: [
    { n: '170141183460469231731687303715884105727', long: '9007199254740993', money: '12345678901234567890.123456789', pi: 3.25 },
    { n: 1, long: `-${'9'.repeat(60)}`, money: 0.1, pi: null },
    { n: null, long: 7, money: -5, pi: 1e-9 },
    { n: -1, long: 8, money: '0.10000000000000001', pi: 1e300 },
  ],
};
const wideResult: Given = {
  columns: Object.fromEntries(
    Array.from({ length: 1000 }, (_, i) => [`c${i}`, (['integer', 'float', 'string', null] as const)[i % 4] ?? null]),
  ),
  rows: Array.from({ length: 4 }, () =>
    Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`c${i}`, [i, i / 8, `t${i}`, null][i % 4]])),
  ),
};
const largeResult: Given = { columns: { t: 'string' }, rows: Array.from({ length: 4 }, (_, i) => ({ t: String(i).repeat(3_000_000) })) };
const known = { query_1: devices, query_2: readings, cached_query_2: readings, 'param_query_3_{a=1&b=x}': readings };

const run = (query: string, results: Record<string, Given>, more: RunOptions = {}) =>
  runOnce(queryResults, {}, query, { env: { results: reader(results) }, ...more });

/** Returns the type and values of a loaded column. */
async function typed(type: ColumnType, values: unknown[]): Promise<{ type: unknown; values: unknown[] }> {
  const { rows } = await run('select typeof(v) as t, v from query_1 order by n', {
    query_1: { columns: { n: 'integer', v: type }, rows: values.map((v, n) => ({ n, v })) },
  });
  return { type: rows[0]?.t, values: rows.map(({ v }) => v) };
}

describeConnector(queryResults, {
  options: () => ({}),
  env: () => ({ results: reader({ ...known, query_4: numbers, query_5: wideResult, query_6: largeResult }) }),
  sql: {
    one: 'select 1 as one',
    values: {
      'two results joined': {
        query: `select d.id, d.site_name, sum(r.value) as total from query_1 d left join query_2 as r on r.device = d.id
          group by all having d.id < 3 order by d.id`,
        columns: { id: 'integer', site_name: 'string', total: 'float' },
        rows: [
          { id: 1, site_name: 'Kraków', total: 3.5 },
          { id: 2, site_name: '温度', total: null },
        ],
      },
      'types survive the way through': {
        query: `select *, typeof(first__seen_) as t from query_1 where id = 2`,
        columns: { id: 'integer', site_name: 'string', first__seen_: 'datetime', t: 'string' },
        rows: [{ id: 2, site_name: '温度', first__seen_: '2026-02-28T10:00:00.500Z', t: 'TIMESTAMP WITH TIME ZONE' }],
      },
      'cached, with parameters, quoted and in capitals': {
        query: `select (select count(*) from CACHED_QUERY_2) as a, (select count(*) from "query_1") as b, max(day) as c from param_query_3_{a=1&b=x}`,
        rows: [{ a: 3, b: 4, c: '2026-02-01' }],
      },
      'integers of all sizes, exactly': {
        query: 'select n, long from query_4',
        columns: { n: 'integer', long: 'string' },
        rows: [
          { n: '170141183460469231731687303715884105727', long: '9007199254740993' },
          { n: 1, long: `-${'9'.repeat(60)}` },
          { n: null, long: '7' },
          { n: -1, long: '8' },
        ],
      },
      'decimals exactly, also counted together': {
        query: `select sum(money) as total, max(money) as most, min(pi) as pi from query_4 where n > 0`,
        columns: { total: 'float', most: 'float', pi: 'float' },
        rows: [{ total: '12345678901234567890.22345678900000000', most: '12345678901234567890.12345678900000000', pi: 3.25 }],
      },
      'large texts': {
        query: 'select length(t) as n, left(t, 3) as t from query_6 order by t desc limit 1',
        rows: [{ n: 3_000_000, t: '333' }],
      },
      'nested values are JSON texts': { query: `select extra->>'$.a[0]' as a from query_2 where device = 1 and ok`, rows: [{ a: '1' }] },
      'a text is no name': { query: `select 'from query_9' as a -- from query_9`, rows: [{ a: 'from query_9' }] },
    },
    empty: {
      query: 'select * from query_2 where false',
      columns: { device: 'integer', value: 'float', ok: 'boolean', day: 'date', extra: 'string' },
    },
    wide: () => 'select * from query_5 limit 1',
    many: { query: 'select i, i * 1.5 as x, q.site_name from range(250000) r(i), query_1 q', rows: 1_000_000 },
    errors: {
      'a column nobody has, told where it was written': {
        query: 'select *\nfrom param_query_3_{a=1&b=x} p\nwhere nope',
        line: 3,
        column: 7,
      },
      'behind a rewritten name on the same line': { query: 'select * from param_query_3_{a=1&b=x} p where nope', line: 1, column: 47 },
      'a result one may not read': { query: 'select * from query_77', message: 'You do not have access to query_77.' },
      'a table nobody named': { query: 'select * from reading', line: 1, column: 15 },
    },
    slow: { query: 'select count(*) as n from query_1, range(100000000) a, range(1000000) b where a.range + b.range = 7' },
    writes: {
      message:
        /^(This data source is read-only\.|\w+ cannot be used in this data source\.|Permission Error: .*|Invalid Input Error: .*|Catalog Error: Table with name .etc.*)$/s,
      state: async () => (await readdir(tmpdir())).filter((name) => name.startsWith('telltale-out')),
      attempts: [
        'delete from query_1',
        'create table made (a int)',
        'drop table query_1',
        `copy (select * from query_1) to '/tmp/telltale-out.csv'`,
        `explain analyze copy (select * from query_1) to '/tmp/telltale-out.csv'`,
        `attach '/tmp/telltale-out.db' as x`,
        'install httpfs',
        'set enable_external_access = true',
        `select * from read_csv('/etc/passwd')`,
        `select * from query_1, read_text('/proc/self/environ')`,
        `select * from '/etc/passwd'`,
        `select * from glob('/*')`,
        `select * from query('from read_text(''/etc/passwd'')')`,
      ],
    },
  },
});

describe('columns', () => {
  test.each<[string, ColumnType, unknown[], string, unknown[]]>([
    ['small integers', 'integer', [1, null, -5], 'BIGINT', [1, null, -5]],
    ['nothing but nulls', 'integer', [null, null], 'BIGINT', [null, null]],
    ['integers beyond a double', 'integer', ['9007199254740993', 1], 'BIGINT', ['9007199254740993', 1]],
    ['integers beyond 64 bits', 'integer', [1, 2, 3, 4, '9223372036854775808'], 'HUGEINT', [1, 2, 3, 4, '9223372036854775808']],
    ['integers beyond 128 bits', 'integer', ['9007199254740993', '1'.repeat(40)], 'VARCHAR', ['9007199254740993', '1'.repeat(40)]],
    [
      'and those that come late',
      'integer',
      ['9007199254740993', 2, 3, 4, '1'.repeat(40)],
      'VARCHAR',
      ['9007199254740993', '2', '3', '4', '1'.repeat(40)],
    ],
    [
      'a large integer and a fraction',
      'integer',
      ['9223372036854775808', 2, 3, 4, 1.5],
      'DECIMAL(38,1)',
      ['9223372036854775808.0', 2, 3, 4, 1.5],
    ],
    ['an integer column with a fraction in it', 'integer', [1, 2, 3, 4, 1.5], 'DOUBLE', [1, 2, 3, 4, 1.5]],
    ['an integer column with a word in it', 'integer', [1, 2, 3, 4, 'n/a'], 'VARCHAR', ['1', '2', '3', '4', 'n/a']],
    ['floats', 'float', [1, 2.5, 1e300, '2.50'], 'DOUBLE', [1, 2.5, 1e300, 2.5]],
    ['decimals', 'float', [1, 2.5, '12345678901234567890.123456789'], 'DECIMAL(38,9)', [1, 2.5, '12345678901234567890.123456789']],
    [
      ...(['decimals behind doubles, with more and more digits', 'float'] as const),
      [0.1, 1234567.891, 1e-7, '12345678901234567.5', -2e15, null, '-0.00012345678901234567'],
      'DECIMAL(38,20)',
      [0.1, 1234567.891, 1e-7, `12345678901234567.5${'0'.repeat(19)}`, -2e15, null, -0.00012345678901234567],
    ],
    ['whole numbers of a decimal column', 'float', ['12345678901234567890', 1], 'DECIMAL(38,0)', ['12345678901234567890', 1]],
    [
      ...(['decimals beyond 38 digits', 'float'] as const),
      [1, 2.5, '-12345678901234567890.5', 4, `${'7'.repeat(30)}.123456789`],
      'VARCHAR',
      ['1', '2.5', '-12345678901234567890.5', '4', `${'7'.repeat(30)}.123456789`],
    ],
    [
      'decimals among words',
      'float',
      ['12345678901234567890.50', 100, 2.5, 'n/a'],
      'VARCHAR',
      ['12345678901234567890.5', '100', '2.5', 'n/a'],
    ],
    ['booleans', 'boolean', [true, false, null], 'BOOLEAN', [true, false, null]],
    ['booleans and numbers', 'boolean', [true, 1], 'VARCHAR', ['true', '1']],
    ['days', 'date', ['2026-01-31', '1600-02-29'], 'DATE', ['2026-01-31', '1600-02-29']],
    [
      'moments without a zone',
      'datetime',
      ['2026-01-31T10:00:00', '1960-01-01T00:00:00.125'],
      'TIMESTAMP',
      ['2026-01-31T10:00:00', '1960-01-01T00:00:00.125'],
    ],
    ['moments of other zones', 'datetime', ['2026-01-31T10:00:00+05:30'], 'TIMESTAMP WITH TIME ZONE', ['2026-01-31T04:30:00Z']],
    ['days among moments', 'datetime', ['2026-01-31', '2026-01-31T10:00:00'], 'TIMESTAMP', ['2026-01-31T00:00:00', '2026-01-31T10:00:00']],
    [
      ...(['moments that turn out to be texts', 'datetime'] as const),
      ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.5Z', null, '2026-01-31T10:00:00.001Z', 'infinity'],
      'VARCHAR',
      ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.500Z', null, '2026-01-31T10:00:00.001Z', 'infinity'],
    ],
    ['days that are none', 'date', ['2026-01-31', '0044-03-15 BC'], 'VARCHAR', ['2026-01-31', '0044-03-15 BC']],
    ['texts that look like something else', 'string', ['1', 'true', '2026-01-31', ''], 'VARCHAR', ['1', 'true', '2026-01-31', '']],
    ['numbers of an unknown column', null, [null, null, null, null, 1, 2], 'BIGINT', [null, null, null, null, 1, 2]],
    ['objects', null, [{ a: 1 }, [1, 'x'], null], 'VARCHAR', ['{"a":1}', '[1,"x"]', null]],
    ['numbers and objects', null, [1, { a: 1 }], 'VARCHAR', ['1', '{"a":1}']],
  ])('%s', async (_name, column, values, type, expected) => {
    expect(await typed(column, values)).toEqual({ type, values: expected });
  });

  test('names are those of section 19, and differ in more than capitals', () => {
    expect(tableColumnNames(['a', 'A', 'a b', 'a.b', 'x::y', '"q"', '', 'a1', 'İ', 'İ'])).toEqual([
      ...['a', 'A1', 'a_b', 'a_b1', 'x__y', '_q_', '_', 'a11', 'İ', 'İ1'],
    ]);
  });

  test('security 31: a column named __proto__ is a column', async () => {
    const rows = [JSON.parse('{"__proto__": 5, "constructor": 6}')];
    const { rows: found } = await run('select * from query_1', {
      query_1: { columns: JSON.parse('{"__proto__": "integer", "constructor": "integer"}'), rows },
    });
    expect(JSON.stringify(found)).toBe('[{"__proto__":5,"constructor":6}]');
  });
});

test('a million rows are joined with little memory', async () => {
  const rows = function* () {
    for (let i = 0; i < 1_000_000; i++)
      yield { id: i, name: `device ${i % 1000}`, time: new Date(1.7e12 + i * 1000).toISOString(), value: i / 7 };
  };
  const chunks = await stored(rows(), 16_384);
  const results: ResultReader = async () => ({
    columns: Object.entries({ id: 'integer', name: 'string', time: 'datetime', value: 'float' }).map(([name, type]) => ({ name, type })),
    chunks: (async function* () {
      yield* chunks;
    })(),
  });
  const before = process.memoryUsage.rss();
  let largest = 0;
  const watch = setInterval(() => (largest = Math.max(largest, process.memoryUsage.rss())), 20);
  const { rows: found } = await runOnce(
    queryResults,
    {},
    'select name, count(*) as n, max(time) as latest from query_1 group by name order by name limit 1',
    { env: { results } },
  );
  clearInterval(watch);
  expect(found).toEqual([{ name: 'device 0', n: 1000, latest: new Date(1.7e12 + 999_000_000).toISOString().replace('.000', '') }]);
  expect(largest - before).toBeLessThan(400 * 1024 ** 2);
});
