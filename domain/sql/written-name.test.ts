import { expect, test } from 'vitest';
import { dialects } from './dialect.ts';
import { schemaName } from './quote.ts';
import { sampler, sqlShards } from './sampling.ts';
import { tokenize } from './tokenize.ts';
import { tableParts, writtenName, writtenTable } from './written-name.ts';

test.each([
  ['reading', 'postgres', 'reading'],
  ['_a1', 'postgres', '_a1'],
  ['createdAt', 'postgres', '"createdAt"'],
  ['User Data', 'postgres', '"User Data"'],
  ['order', 'postgres', '"order"'],
  ['user', 'postgres', '"user"'],
  ['desc', 'postgres', '"desc"'],
  ['time', 'postgres', 'time'],
  ['value', 'postgres', 'value'],
  ['timestamp', 'postgres', 'timestamp'],
  ['1st', 'postgres', '"1st"'],
  ['größe', 'postgres', '"größe"'],
  ['a"b', 'postgres', '"a""b"'],
  ['', 'postgres', '""'],
  ['Total', 'generic', '"Total"'],
  ['tag', 'generic', '"tag"'],
  ['createdAt', 'mysql', 'createdAt'],
  ['User Data', 'mysql', '`User Data`'],
  ['key', 'mysql', '`key`'],
  ['rank', 'mysql', '`rank`'],
  ['user', 'mysql', 'user'],
  ['a`b', 'mysql', '`a``b`'],
  ['createdAt', 'sqlite', 'createdAt'],
  ['Index', 'sqlite', '"Index"'],
  ['a b', 'sqlite', '"a b"'],
  ['createdAt', 'duckdb', 'createdAt'],
  ['semi', 'duckdb', '"semi"'],
  ['createdAt', 'clickhouse', 'createdAt'],
  ['final', 'clickhouse', '"final"'],
  ['a b', 'clickhouse', '"a b"'],
] as const)('a name is quoted only where it must be: %s in %s is written %s', (name, dialect, written) => {
  expect(writtenName(name, dialect)).toBe(written);
});

test.each([
  ['app.metric', 'postgres', 'app.metric'],
  ['app.User Data', 'postgres', 'app."User Data"'],
  ['My App.order', 'postgres', '"My App"."order"'],
  ['"a.b"', 'postgres', '"a.b"'],
  ['public."A ""x"". B"', 'postgres', 'public."A ""x"". B"'],
  ['"quoted"', 'postgres', '"""quoted"""'],
  ['shop.User Data', 'mysql', 'shop.`User Data`'],
  ['`a.b`.key', 'mysql', '`a.b`.`key`'],
  ['a.b', 'sqlite', '"a.b"'],
  ['.inner.reading', 'clickhouse', '".inner.reading"'],
  ['other.place', 'clickhouse', 'other.place'],
] as const)('a table is quoted part by part: %s in %s is written %s', (name, dialect, written) => {
  expect(writtenTable(name, dialect)).toBe(written);
});

test('server-behaviour 19: what a schema calls a table is read back as its parts, whatever is in them', () => {
  const { text } = sampler(7);
  for (const dialect of ['postgres', 'mysql', 'duckdb'] as const) {
    for (let round = 0; round < 1000; round++) {
      const parts = [text(sqlShards, 4) || 'a', text(sqlShards, 4) || 'b'];
      expect(tableParts(parts.map((part) => schemaName(part, dialect)).join('.'), dialect)).toEqual(parts);
    }
  }
});

test('W1: a written name is one token, whatever is in it', () => {
  const { text } = sampler(8);
  for (const dialect of dialects) {
    for (let round = 0; round < 1000; round++) {
      const written = writtenName(text(sqlShards, 6), dialect);
      const tokens = tokenize(written, dialect);
      if (!tokens.some(({ ambiguous }) => ambiguous)) expect(tokens.map((token) => token.text)).toEqual([written]);
    }
  }
});
