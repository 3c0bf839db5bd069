import { describe, expect, test } from 'vitest';
import { dialects } from './dialect.ts';
import { sampler, sqlShards } from './sampling.ts';
import { firstKeyword, splitStatements, statementAt } from './statements.ts';

const texts = (sql: string) => splitStatements(sql, 'postgres').map(({ text }) => text);

describe('statements', () => {
  const cases: [string, string[]][] = [
    ['', []],
    [' ; ;; ', []],
    ['-- only\n/* comments */;', []],
    ['select 1', ['select 1']],
    ['  select 1 ;  ', ['select 1']],
    ['select 1; select 2', ['select 1', 'select 2']],
    ['select \';\'; select $$;$$; select ";" -- ;\n, 2', ["select ';'", 'select $$;$$', 'select ";" -- ;\n, 2']],
    ['-- first\nselect 1; -- last', ['-- first\nselect 1']],
    ['use db;\nselect * from d', ['use db', 'select * from d']],
    ["select 'open; select 2", ["select 'open; select 2"]],
  ];
  test.each(cases)('%j', (sql, expected) => expect(texts(sql)).toEqual(expected));
});

test('offsets give back the text, in every dialect', () => {
  const { text } = sampler(3);
  for (const dialect of dialects) {
    for (let round = 0; round < 500; round++) {
      const sql = text([...sqlShards, ';', '; '], 25);
      for (const statement of splitStatements(sql, dialect)) {
        expect(sql.slice(statement.start, statement.end)).toBe(statement.text);
        expect(statement.next === sql.length || sql[statement.next - 1] === ';').toBe(true);
      }
    }
  }
});

describe('the statement under the cursor', () => {
  const sql = 'select 1;\n\nselect 2 ; select 3';
  const cases: [number, string][] = [
    [0, 'select 1'],
    [8, 'select 1'],
    [9, 'select 1'],
    [10, 'select 2'],
    [19, 'select 2'],
    [21, 'select 2'],
    [22, 'select 3'],
    [99, 'select 3'],
  ];
  test.each(cases)('at %i', (cursor, expected) => expect(statementAt(sql, 'postgres', cursor)?.text).toBe(expected));
  test('behind the last semicolon it is the last', () => expect(statementAt('select 1;\n\n', 'postgres', 11)?.text).toBe('select 1'));
  test('in nothing there is none', () => expect(statementAt('-- x', 'postgres', 2)).toBeNull());
});

test('one statement, however it is dressed', () => {
  expect(splitStatements("/* a; */ select ';'; -- b;", 'postgres')).toHaveLength(1);
  expect(splitStatements('select 1; select 2', 'postgres')).toHaveLength(2);
  expect(splitStatements(String.raw`select 'a\'; drop table t; --'`, 'mysql')).toHaveLength(1);
  expect(splitStatements(String.raw`select 'a\'; drop table t; --'`, 'postgres')).toHaveLength(2);
});

test('Q5: blank and comment-only text is empty', () => {
  expect(['', ' \n', ';', '-- x', '/* x */ ; -- y'].flatMap((sql) => splitStatements(sql, 'postgres'))).toEqual([]);
});

test('the first keyword, behind comments and parentheses', () => {
  const first = (sql: string) => firstKeyword({ tokens: splitStatements(sql, 'postgres')[0]?.tokens ?? [] });
  expect(first('-- a\n/* b */ (( Select 1))')).toBe('SELECT');
  expect(first('with a as (select 1) select 2')).toBe('WITH');
  expect(first('"select" 1')).toBeNull();
  expect(first('{{ x }}')).toBeNull();
});
