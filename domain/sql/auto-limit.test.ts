import { describe, expect, test } from 'vitest';
import { applyAutoLimit } from './auto-limit.ts';
import { type Dialect, dialects } from './dialect.ts';
import { sampler, sqlShards } from './sampling.ts';

/** ‹› marks the place of the clause; without it the text is unchanged. */
const rows: [Dialect, string][] = [
  // server-behaviour 9
  ['postgres', 'SELECT 2‹›'],
  ['postgres', 'select * from t‹›; -- c'],
  ['postgres', 'SELECT * FROM a WHERE id IN (SELECT id FROM b LIMIT 200)‹›'],
  ['postgres', 'SELECT * FROM a LIMIT 5 OFFSET 3'],
  ['postgres', 'use db;\nselect * from d‹›'],
  ['postgres', 'select 1;\nCREATE TABLE x (i int)'],
  // W32: what upstream breaks or ignores
  ['postgres', 'select * from t FETCH FIRST 5 ROWS ONLY'],
  ['postgres', 'select * from t fetch next row only'],
  ['postgres', 'select * from t offset 5 rows fetch next 5 rows only'],
  ['postgres', 'select * from t LIMIT 5 FOR UPDATE'],
  ['postgres', 'select * from t‹› FOR UPDATE'],
  ['postgres', 'select * from t where a = 1‹› for no key update of t skip locked'],
  ['postgres', 'select * from t‹› for key share for update'],
  ['postgres', 'with a as (select 1) select * from a‹›'],
  ['postgres', 'with a as (select 1 limit 5), b(x) as materialized (select 2) select * from a, b‹›'],
  ['postgres', 'with recursive t(n) as (values (1) union all select n + 1 from t) search depth first by n set o select n from t‹›'],
  ['postgres', 'with update as (select 1) select * from update‹›'],
  ['postgres', 'with a as (insert into t values (1) returning *) select * from a‹›'],
  ['postgres', 'with a as (select 1) select * from a limit 5'],
  ['postgres', 'with a as (select 1) insert into t select * from a'],
  ['postgres', 'with a as (select 1) update t set x = 1'],
  ['postgres', 'with a as (select 1) delete from t'],
  // comments, semicolons, several statements
  ['postgres', '-- hello\nselect 1‹›'],
  ['postgres', '/* limit 5 */ select \'limit 5\', "limit"‹› -- limit 5'],
  ['postgres', 'select 1‹› -- a\n/* b */ ; -- c\n;;'],
  ['postgres', 'select * from a; select * from b‹›;'],
  ['postgres', 'select * from a; insert into b select 1;'],
  ['postgres', ''],
  ['postgres', ' ; -- nothing'],
  // own limits, and names that look like them
  ['postgres', 'select * from t limit all'],
  ['postgres', 'select * from t LiMiT {{ n }}'],
  ['postgres', 'select t.limit, 1 as limit from t‹›'],
  ['postgres', 'select (select 1 limit 1)‹›'],
  ['postgres', 'select * from t‹› offset 10'],
  ['postgres', 'select * from t order by a‹› offset {{ n }} rows'],
  ['mysql', 'select offset, `limit` from t order by offset‹›'],
  // whole set operations
  ['postgres', 'select 1 union all select 2‹›'],
  ['postgres', 'select 1 union (select 2 limit 5)‹›'],
  ['postgres', '(select 1 limit 5) union (select 2)‹›'],
  ['postgres', '(select 1) union (select 2) limit 5'],
  ['postgres', '(select 1)‹›'],
  ['postgres', '((select 1))‹›;'],
  ['postgres', '(select 1 limit 5)'],
  ['postgres', '((select 1) limit 5)'],
  ['postgres', '(with a as (select 1) select * from a)‹›'],
  ['postgres', '(delete from t returning *)'],
  ['postgres', 'table t‹›'],
  ['postgres', 'values (1), (2)'],
  ['postgres', 'with a as (select 1) values (1)'],
  // statements that do not read
  ['postgres', 'select * into x from t'],
  ['mysql', "select * from t into outfile '/tmp/x'"],
  ['postgres', 'explain select * from t'],
  ['postgres', 'show all'],
  ['postgres', 'insert into t select 1'],
  ['postgres', 'update t set a = 1'],
  // texts that are not understood completely
  ['postgres', "select 'open"],
  ['postgres', 'select (1'],
  ['postgres', 'select 1)'],
  ['mysql', 'select * from t /*! limit 5 */'],
  // dialects
  ['mysql', 'select * from t‹› lock in share mode'],
  ['mysql', 'select * from t use index for order by (i)‹›'],
  ['mysql', "select * from t where a = 'x\\' limit 5'‹›"],
  ['mysql', 'select * from t‹› # limit 5'],
  ['sqlite', 'select * from [limit]‹›'],
  ['duckdb', 'from t‹›'],
  ['duckdb', 'from t select a‹›'],
  ['duckdb', 'select [x for x in l if x > 1] from t‹›'],
  ['duckdb', "select {'limit': 1}‹›"],
  ['postgres', 'from t'],
  ['generic', 'select top 10 * from t'],
  ['generic', 'select distinct top (10) * from t'],
  ['generic', 'select * from t‹›'],
  ['clickhouse', 'select * from t limit 2 by device‹›'],
  ['clickhouse', 'select * from t limit 1 offset 1 by device‹›'],
  ['clickhouse', 'select * from t limit 2 by device limit 5'],
  ['clickhouse', 'select * from t‹› settings max_threads = 1'],
  ['clickhouse', 'select * from t‹› format JSON'],
  ['clickhouse', 'select * from t‹› format JSON settings a = 1'],
  ['clickhouse', 'select format from t order by format desc‹›'],
  ['clickhouse', 'with 1 as x select x‹›'],
  ['clickhouse', "with replace(a, 'x', 'y') as b select b from t‹›"],
  ['clickhouse', 'select 1 union all select 2'],
  ['clickhouse', '(select 1)'],
  ['clickhouse', 'select top 5 * from t'],
];

describe('W32: the last statement is limited when it reads rows without a bound of its own', () => {
  test.each(rows)('%s: %s', (dialect, marked) => {
    expect(applyAutoLimit(marked.replace('‹›', ''), dialect)).toBe(marked.replace('‹›', ' LIMIT 1000'));
  });
});

test('Q9: another bound can be given', () => expect(applyAutoLimit('select 1', 'postgres', 50)).toBe('select 1 LIMIT 50'));

test('W32: a second pass changes nothing', () => {
  for (const [dialect, marked] of rows) {
    const once = applyAutoLimit(marked.replace('‹›', ''), dialect);
    expect(applyAutoLimit(once, dialect)).toBe(once);
  }
});

test('W32: whatever the text, it is either unchanged or has the clause put in, and nothing throws', () => {
  const { text } = sampler(4);
  for (const dialect of dialects) {
    for (let round = 0; round < 1000; round++) {
      const sql = `select ${text(sqlShards, 15)}`;
      const limited = applyAutoLimit(sql, dialect);
      expect(limited === sql || limited.replace(' LIMIT 1000', '') === sql).toBe(true);
    }
  }
});

test('deep parentheses are left alone', () => {
  const sql = `${'('.repeat(50_000)}select 1${')'.repeat(50_000)}`;
  expect(applyAutoLimit(sql, 'postgres')).toBe(sql);
});
