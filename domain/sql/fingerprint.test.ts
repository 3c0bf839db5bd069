import { describe, expect, test } from 'vitest';
import { dialects } from './dialect.ts';
import { fingerprintText } from './fingerprint.ts';
import { sampler, sqlShards } from './sampling.ts';
import { tokenize } from './tokenize.ts';

const same = (a: string, b: string) => fingerprintText(a, 'postgres') === fingerprintText(b, 'postgres');

describe('W2: different queries never share a result', () => {
  const pairs: [string, string][] = [
    ["SELECT 'a b'", "SELECT 'ab'"],
    ['select 1 -- a\n+ 1', 'select 1 -- a + 1'],
    ['select 1', 'SELECT 1'],
    ['select "a"', 'select "A"'],
    ["select 'é'", "select 'e\u0301'"],
    ['select 1', 'select 1 limit 1000'],
    ["select ';'", "select ''"],
    ['select 1; select 2', 'select 1 select 2'],
    ['select /* a */ 1', 'select  1'],
  ];
  test.each(pairs)('%j and %j', (a, b) => expect(same(a, b)).toBe(false));
});

test('W2: blanks around a query and semicolons behind it do not make another one', () => {
  expect(same('select 1', '\n select 1 ; \n;')).toBe(true);
  expect(same('select 1 -- a;', 'select 1 -- a')).toBe(false);
  expect(fingerprintText(' ; ', 'postgres')).toBe('');
});

test('W2: only blanks and semicolons at the edges are dropped, in every dialect', () => {
  const { text } = sampler(5);
  for (const dialect of dialects) {
    for (let round = 0; round < 500; round++) {
      const sql = text(sqlShards, 20);
      const kept = fingerprintText(sql, dialect);
      const dropped = kept === '' ? [sql] : [sql.slice(0, sql.indexOf(kept)), sql.slice(sql.indexOf(kept) + kept.length)];
      expect(sql.includes(kept)).toBe(true);
      for (const edge of dropped) expect(tokenize(edge, dialect).every(({ kind }) => kind === 'space' || kind === 'semicolon')).toBe(true);
    }
  }
});
