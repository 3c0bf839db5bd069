import { expect, test } from 'vitest';
import { findQueryNames } from './query-names.ts';

const names = (sql: string) => findQueryNames(sql).results.map(({ name }) => name);

test.each<[string, string[]]>([
  ['select * from query_5', ['query_5']],
  ['SELECT * FROM QUERY_5', ['query_5']],
  ['select * from "query_5" as q', ['query_5']],
  ['from query_5 select a', ['query_5']],
  ['select * from cached_query_12 c join query_5 q on q.a = c.a', ['cached_query_12', 'query_5']],
  [
    'select * from query_1, query_2 as b, (select * from query_3, query_4) x, query_6',
    ['query_1', 'query_2', 'query_3', 'query_4', 'query_6'],
  ],
  ['select * from (query_1 left join query_2 on true), query_3', ['query_1', 'query_2', 'query_3']],
  ['select * from query_1 a join query_2 b on a.x = b.x and f(1, query_9), query_3', ['query_1', 'query_2', 'query_3']],
  ['with a as (select * from query_1) select * from a, lateral (select * from query_2)', ['query_1', 'query_2']],
  ['select (select max(a) from query_1), b from query_2 where c in (select d from query_3)', ['query_1', 'query_2', 'query_3']],
  ['select 1 union all select a from query_1 order by a', ['query_1']],
  ['pivot query_1 on a; summarize query_2; describe query_3; table query_4', ['query_1', 'query_2', 'query_3', 'query_4']],
  ['select * from query_1 join query_1 as again using (a)', ['query_1']],
  ['select a from query_1\n-- comment\n /* another */ , query_2', ['query_1', 'query_2']],
])('finds the results of %s', (sql, expected) => {
  expect(names(sql)).toEqual(expected);
  expect(findQueryNames(sql).text).toBe(sql);
});

test.each([
  `select 'from query_5'`,
  'select 1 -- from query_5',
  'select 1 /* from query_5 */',
  'select query_5, query_5.a from t',
  'select * from t where query_5 = 1',
  'select * from t order by a, query_5',
  'select * from query_5x',
  'select * from query_05',
  'select * from query_0',
  'select * from query_12345678901234567890',
  'select * from my_query_5',
  'select * from s.query_5',
  'select * from query_5.t',
  'select * from query_5(1)',
  'select * from "query_5 "',
  'select * from $$query_5$$',
  'select f(a, query_5) from t',
  'select * from param_query_5_',
  'select * from param_query_5_{a=1',
  'select * from t as query_5',
])('security 4: %s names no result', (sql) => {
  expect(names(sql)).toEqual([]);
});

test('a name with parameters becomes a plain table name', () => {
  const sql = `select * from param_query_7_{a=1&b=O%27Brien+%26+co&c='x & }''y'&empty=} p join PARAM_QUERY_7_{} on 'it''s' = '}'`;
  const { results, text } = findQueryNames(sql);
  expect(results).toEqual([
    {
      name: `param_query_7_{a=1&b=O%27Brien+%26+co&c='x & }''y'&empty=}`,
      kind: 'param_query',
      query_id: 7,
      parameters: new Map([
        ['a', '1'],
        ['b', "O'Brien & co"],
        ['c', "x & }'y"],
        ['empty', ''],
      ]),
      table: 'param_query_7_1',
    },
    { name: 'param_query_7_{}', kind: 'param_query', query_id: 7, parameters: new Map(), table: 'param_query_7_2' },
  ]);
  expect(text).toBe(`select * from param_query_7_1 p join param_query_7_2 on 'it''s' = '}'`);
});

test('the same name twice is one result', () => {
  const { results, text } = findQueryNames('select * from param_query_7_{a=1} x, param_query_7_{a=1} y, param_query_7_{a=2} z');
  expect(results.map(({ table }) => table)).toEqual(['param_query_7_1', 'param_query_7_2']);
  expect(text).toBe('select * from param_query_7_1 x, param_query_7_1 y, param_query_7_2 z');
});

test('a value cannot become another parameter, a placeholder stays whole, and pollution finds no object', () => {
  const [first] = findQueryNames(`select * from param_query_1_{a={{p}}&b={{ q }}&__proto__=x&a=2}`).results;
  expect([...(first?.parameters ?? [])]).toEqual([
    ['a', '{{p}}'],
    ['b', '{{ q }}'],
    ['__proto__', 'x'],
  ]);
  const [bound] = findQueryNames(`select * from param_query_1_{a='x&b=2}'}`).results;
  expect([...(bound?.parameters ?? [])]).toEqual([['a', 'x&b=2}']]);
});

test('a loose quote between the braces does not swallow what follows', () => {
  const { results, text } = findQueryNames(`select * from param_query_1_{a=O'Brien} join query_2 on x = 'from query_3'`);
  expect(results.map(({ name }) => name)).toEqual([`param_query_1_{a=O'Brien}`, 'query_2']);
  expect(text).toBe(`select * from param_query_1_1 join query_2 on x = 'from query_3'`);
});

test('places are told in the text as it was written', () => {
  const sql = 'select x from param_query_7_{a=1&b=2} p,\n  param_query_7_{a=3} q where nope';
  const { text, originalOffset } = findQueryNames(sql);
  for (const word of ['x', ' p,', ' q', 'nope']) expect(originalOffset(text.indexOf(word))).toBe(sql.indexOf(word));
  expect(originalOffset(text.indexOf('param') + 3)).toBe(sql.indexOf('param'));
  expect(originalOffset(text.length)).toBe(sql.length);
});

test('ReDoS: a long text is read in time that grows with it', () => {
  const since = performance.now();
  findQueryNames(`select * from ${'param_query_1_{a='.repeat(20_000)}`);
  findQueryNames(`select * from ${"param_query_1_{a='}, ".repeat(20_000)}t`);
  findQueryNames(`select * from ${'query_1, '.repeat(50_000)}t`);
  findQueryNames(`select * from param_query_1_{${"a='".repeat(50_000)}`);
  expect(performance.now() - since).toBeLessThan(5000);
});
