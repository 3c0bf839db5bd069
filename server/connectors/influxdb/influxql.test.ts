import { expect, test } from 'vitest';
import { readOnlyMessage } from '../connector.ts';
import { requireReading } from './influxql.ts';

test.each([
  ['select * from a', 1],
  ['SELECT v FROM a; SHOW DATABASES;', 2],
  ['-- drop database x\nselect 1 /* ; drop */ from a', 1],
  ["select * from a where s = 'it\\'s; drop database x'", 1],
  ['select "into" from "drop; x"', 1],
  ['select v / 2 from a where b =~ /into; drop\\/x/', 1],
  ['select /re; x/ from /y; z/ group by /q; r/', 1],
  ['select mean(v) / 2, max(/x/) from a', 1],
  ['explain analyze select * from a', 1],
  ['select pinto, intox from a', 1],
])('%j reads and has %d statements', (text, count) => {
  expect(requireReading(text)).toBe(count);
});

test.each([
  'drop database x',
  'select v into b from a',
  'select v INTO b from a',
  'select * from a; drop database x',
  'create database x',
  'kill query 1',
  'grant all to x',
  'select v*1.5into b from a',
  'select 1into b from a',
  'select v/**/into/**/b from a',
  'explain select v into b from a',
  // The server ends a comment at a lone carriage return.
  'select * from a --\r; drop database x',
  // In a regular expression only the slash can be escaped.
  "select * from a where b =~ /x\\\\/ and c = '/ ; drop database x --'",
  // After a star as an operand, the slash is a division, so it hides nothing.
  'select * / v from a; drop database x /',
  'select v * / v from a; drop database x /',
  'select v from a where b = 1 / 2; drop database x /',
  "select v from a where b =~ /'/; drop database x --'",
])('security 5: %j is refused', (text) => {
  expect(() => requireReading(text)).toThrow(readOnlyMessage);
});

test('security 5: a character that ends comments for the server alone is refused', () => {
  expect(() => requireReading('select * from a --\0; drop database x')).toThrow('The query holds a character that is not allowed.');
  expect(() => requireReading(' -- nothing')).toThrow("Can't execute empty query.");
});

test.each([
  ['selec v from a', 1, 1, 'selec'],
  ['select v from a;\n  -- so far\n shwo databases', 3, 2, 'shwo'],
  ["'select' v from a", 1, 1, "'select'"],
  ['(select v from a)', 1, 1, '('],
])('complaint 5: %j is mistyped, no write, and refused all the same', (text, line, column, word) => {
  const refusal = (() => {
    try {
      return requireReading(text);
    } catch (error) {
      return error;
    }
  })();
  expect(refusal).toMatchObject({ message: `Syntax error: no statement begins with ${word}.`, line, column });
});

test('security 5: behind a mistyped word nothing runs either', () => {
  for (const text of [
    'selec v into b from a',
    'selec 1; drop database x',
    'dorp database x',
    '"drop" database x',
    'select 1; dorp database x',
  ])
    expect(() => requireReading(text)).toThrow(/read-only|no statement begins with/);
});
