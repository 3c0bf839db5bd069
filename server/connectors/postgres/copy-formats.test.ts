import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { cloneDatabase } from '../../testing/postgres.ts';
import type { Connection } from '../connector.ts';
import { cockroach, postgres } from '../postgres.ts';
import { runTable, testEnv } from '../testing/run-table.ts';

/** Both connections read the same rows, by COPY in binary and in text (as CockroachDB does): their values must be equal. */
let database: { url: string; drop(): Promise<void> } | undefined;
let binary: Connection;
let text: Connection;

beforeAll(async () => {
  database = await cloneDatabase(inject('postgres'), `copy_formats_${process.pid}`);
  const url = new URL(database.url);
  const options = {
    host: url.hostname,
    port: Number(url.port),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    dbname: url.pathname.slice(1),
    sslmode: 'disable',
  };
  const never = new AbortController().signal;
  binary = await postgres.open(options, testEnv(), never);
  text = await cockroach.open(options, testEnv(), never);
});
afterAll(async () => {
  await binary.close();
  await text.close();
  await database?.drop();
});

const both = async (query: string) => {
  const [one, other] = [await runTable(binary, query), await runTable(text, query)];
  expect(one).toEqual(other);
  return one.rows;
};

const quoted = (values: string[]) => values.map((value) => `'${value.replaceAll("'", "''")}'`);
const listed = (type: string, values: string[]) =>
  `select v from unnest(array[${quoted(values).join()}]) with ordinality t(s, i), lateral (select s::${type} as v) c order by i`;

test.each<[string, string[]]>([
  ['bool', ['t', 'f']],
  ['int2', ['0', '-1', '32767', '-32768']],
  ['int4', ['0', '9', '10', '-99', '100', '2147483647', '-2147483648']],
  [
    'int8',
    [
      '0',
      '-1',
      '999999999',
      '1000000000',
      '1000000001',
      '-999999999999999',
      '562949953421312',
      '9007199254740993',
      '9223372036854775807',
      '-9223372036854775808',
    ],
  ],
  ['oid', ['0', '4294967295']],
  [
    'float4',
    [
      '0',
      '-0',
      '0.1',
      '0.000244140625',
      '-0.000244140625',
      '0.0001220703125',
      '3.4028235e38',
      '1.1754944e-38',
      '1e-45',
      '16777216',
      '123456.79',
      'NaN',
      'Infinity',
      '-Infinity',
    ],
  ],
  [
    'float8',
    [
      '0',
      '-0',
      '0.1',
      '-23.7',
      '0.000001',
      '0.0000001',
      '1e-7',
      '999999999.999999',
      '1000000000.5',
      '1e15',
      '1e16',
      '1e20',
      '1e21',
      '1e300',
      '5e-324',
      '1.7976931348623157e308',
      '0.30000000000000004',
      '123456789.1234567',
      'NaN',
      '-Infinity',
    ],
  ],
  [
    'numeric',
    [
      '100000000',
      '123400000000.00',
      '-99990000.5',
      '0.00001234',
      '1234567890123456',
      '12345678901234567',
      '0.1234567890123456789',
      '-0.00',
      '1000000000000000000000',
      '0.00000000000000000000123',
      '0',
      '0.00',
      '1.10',
      '-0.0001',
      '10000',
      '9999.9999',
      '12345678901234567890.5',
      '0.14285714285714285714',
      '-142857.1428571428571428',
      '123456789012345678',
      '0.000000000000000000000000012345678901234567',
      '0.10000000000000000000',
      '1e-30',
      '1e40',
      'NaN',
      'Infinity',
      '-Infinity',
    ],
  ],
  ['text', ['', 'żółć 温度 🌡', '\\N', '\\x41', 'a\tb\nc\rd"e\\f\u0001\u007f', '{"a":1}', 'x'.repeat(5000), '"'.repeat(3000)]],
  ['varchar', ['a', "it's"]],
  ['char(5)', ['ab']],
  ['name', ['pg_class']],
  ['uuid', ['0190163d-8694-739b-aea5-966c26f8ad90']],
  ['json', ['{"a": [1, null], "b": "x"}', '  {\n"a":\t"q\\"q\\n"}\n ', 'null', '5', '[12345678901234567890]']],
  ['jsonb', ['{"a": [1, null]}', 'null', '"text"', '{"a": 12345678901234567890, "b": "12345678901234567890"}', '1.10000000000000000001']],
  ['bytea', ['', '\\x00ff0a']],
  [
    'date',
    [
      '2026-01-01',
      '2000-02-29',
      '1999-12-31',
      '1969-12-31',
      '0001-01-01',
      '0044-03-15 BC',
      '4713-01-01 BC',
      '12026-01-01',
      'infinity',
      '-infinity',
    ],
  ],
  [
    'timestamptz',
    [
      '2026-01-01 10:00:00.123456+00',
      '2026-01-01 10:00:00+05:30',
      '1999-12-31 23:59:59.999999+00',
      '1970-01-01 00:00:00+00',
      '1714-01-01 00:00:00.5+00',
      '2290-06-01 12:00:00+00',
      '0044-03-15 10:00:00+00 BC',
      '12026-01-01 10:00:00.25+00',
      '294276-12-31 23:59:59.999999+00',
      '4713-01-01 00:00:00+00 BC',
      'infinity',
      '-infinity',
      '2026-01-01 10:00:00.0001+00',
    ],
  ],
  ['timestamp', ['2026-01-01 10:00:00', '2026-01-01 10:00:00.25', '1600-02-29 00:00:01', 'infinity']],
  ['interval', ['1 day 00:00:05']],
  ['int4[]', ['{1,NULL,3}']],
])('Q3: %s reads the same in both formats', async (type, values) => {
  expect(await both(listed(type, [...values]))).toHaveLength(values.length);
});

test('Q3: thousands of odd doubles, whole numbers, decimals, days and times read the same in both formats', async () => {
  const rows = await both(
    `
    select (random() - 0.5) * power(10, i % 40 - 20) as double, round(((random() - 0.5) * power(10, i % 12))::numeric, i % 8)::float8 as measured,
      ((random() - 0.5) * power(10, i % 30 - 15))::float4 as single, ((random() - 0.5) * power(10, i % 19))::int8 as whole,
      round(((random() - 0.5) * power(10, i % 25))::numeric, i % 12) as decimal, date '2000-01-01' + ((random() - 0.5) * 1000000)::int as day,
      timestamptz '2000-01-01' + (random() - 0.5) * interval '500 years' as near, timestamp '2000-01-01' + (random() - 0.5) * interval '3000 years' as far,
      case when i % 3 = 0 then null else chr(1 + i % 50000) || md5(i::text) end as text
    from (select i, setseed(0.5) from generate_series(1, 20000) i where i not between 55295 and 57344) t`.replaceAll(
      'random()',
      "(('x' || substr(md5(i::text || 'seed'), 1, 8))::bit(32)::bigint / 4294967296.0)",
    ),
  );
  expect(rows).toHaveLength(20000);
});

test('no rows, no columns and rows of nulls', async () => {
  expect(await both('select 1 as a where false')).toEqual([]);
  expect(await both('select null::int as a, null::text as b from generate_series(1, 3)')).toHaveLength(3);
  expect(await both(`select i, repeat('ab', 70000) as long from generate_series(1, 20) i`)).toHaveLength(20);
});
