import { afterAll, expect, test } from 'vitest';
import { applyAutoLimit } from './auto-limit.ts';
import { addDialect, type Dialect } from './dialect.ts';
import { reserved, standard } from './dialects/rules.ts';
import { quoteName } from './quote.ts';
import { tokenize } from './tokenize.ts';
import { writtenName, writtenTable } from './written-name.ts';

/** A family that no source speaks: comments begin with `%`, names stand between backticks, LIMIT never follows a parenthesis. */
const madeUp = 'made_up' as Dialect;
afterAll(
  addDialect(madeUp, {
    ...standard,
    nameQuotes: '`',
    writesNamesWith: '`',
    lineComment: /%/y,
    reservedNames: reserved('sensor'),
    limits: { ...standard.limits, followsParenthesis: false, startsWithFrom: true },
    formatter: 'sql',
    editor: 'StandardSQL',
  }),
);

test('one more dialect is one set of rules: reading, quoting, names and limits follow it', () => {
  expect(tokenize("select 1 % it's a comment", madeUp).at(-1)).toMatchObject({ kind: 'line-comment' });
  expect(quoteName('a`b', madeUp)).toBe('`a``b`');
  expect(writtenName('sensor', madeUp)).toBe('`sensor`');
  expect(writtenTable('plant.Sensor 1', madeUp)).toBe('plant.`Sensor 1`');
  expect(applyAutoLimit('from t', madeUp)).toBe('from t LIMIT 1000');
  expect(applyAutoLimit('(select 1)', madeUp)).toBe('(select 1)');
});
