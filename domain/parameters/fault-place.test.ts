import { expect, test } from 'vitest';
import { placeInText } from './fault-place.ts';

const definitions = [
  { name: 'n', type: 'number', value: 1 },
  { name: 'words', type: 'text', value: '' },
  { name: 'r', type: 'datetime-range', value: null },
];
const values = { n: 123456, words: 'two\nlines', r: { start: '2026-01-01 00:00', end: '2026-01-02 00:00' } };
/** Maps the place of `wrong` in the sent text back to the written text. */
const found = (text: string, sent: string, isLimited = false) => {
  const lines = sent.slice(0, sent.indexOf('wrong')).split('\n');
  const place = { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
  const { line, column } = placeInText(place, { text, dialect: 'postgres', definitions, values, isLimited });
  return text.split('\n')[line - 1]?.slice(column - 1, column + 4);
};

test.each([
  ['select wrong', 'select wrong', false],
  ['select {{ n }}, wrong', 'select 123456, wrong', false],
  ["select 1\nwhere a > '{{ r.start }}' and wrong", "select 1\nwhere a > '2026-01-01 00:00' and wrong", false],
  ["select '{{ words }}', wrong", "select 'two\nlines', wrong", false],
  ['select {{ words }},\n wrong', "select 'two\nlines',\n wrong", false],
  ['select a from b; -- wrong', 'select a from b LIMIT 1000; -- wrong', true],
  ['select {{ n }} from b offset wrong', 'select 123456 from b offset wrong', true],
])('complaint 5: %j', (text, sent, isLimited) => {
  expect(found(text, sent, isLimited)).toBe('wrong');
});

test('inside of what a value became it is the placeholder that is meant', () => {
  const text = 'select {{ n }} as n';
  const ran = { text, dialect: 'postgres', definitions, values, isLimited: false } as const;
  expect(placeInText({ line: 1, column: 11 }, ran)).toEqual({ line: 1, column: 8 });
});

test('what the database says is kept where nothing better is known', () => {
  const ran = { text: 'select {{ n }}', dialect: 'postgres', definitions, values: {}, isLimited: false } as const;
  expect(placeInText({ line: 3, column: 2 }, ran)).toEqual({ line: 3, column: 2 });
});
