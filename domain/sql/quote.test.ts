import { expect, test } from 'vitest';
import { dialects } from './dialect.ts';
import { quoteName, quoteText, quoteWith } from './quote.ts';
import { sampler, sqlShards } from './sampling.ts';
import { tokenize } from './tokenize.ts';

test('W1: a quoted text or name is one token, whatever is in it', () => {
  const { text } = sampler(6);
  for (const dialect of dialects) {
    for (let round = 0; round < 2000; round++) {
      const value = text(sqlShards, 12);
      for (const sql of [quoteText(value, dialect), quoteName(value, dialect), quoteWith('"', value, dialect)]) {
        const tokens = tokenize(`x ${sql} y`, dialect);
        // `generic` accepts a backslash before the quote but marks it as ambiguous: see the fence.
        if (tokens.some(({ ambiguous }) => ambiguous)) continue;
        expect(tokens.map((token) => token.text)).toEqual(['x', ' ', sql, ' ', 'y']);
      }
    }
  }
});

test('W1: quotes are doubled, backslashes only where they count', () => {
  expect(quoteText(String.raw`O'Brien \ x`, 'postgres')).toBe(String.raw`'O''Brien \ x'`);
  expect(quoteText(String.raw`\' or 1=1 -- `, 'mysql')).toBe(String.raw`'\\'' or 1=1 -- '`);
  expect(quoteText('\\', 'clickhouse')).toBe("'\\\\'");
  expect(quoteName('a`b', 'mysql')).toBe('`a``b`');
  expect(quoteName('a"b', 'sqlite')).toBe('"a""b"');
});
