import { describe, expect, test } from 'vitest';
import { searchExpression, searchedId, substringTerms } from './search.ts';

describe('server-behaviour 7.9: typed words become an expression', () => {
  test.each([
    ['sales', "'sales':*"],
    ['Sales report', "('Sales':* & 'report':*)"],
    ['sales or costs', "('sales':* | 'costs':*)"],
    ['sales OR costs', "('sales':* | 'costs':*)"],
    ['a b or c', "(('a':* & 'b':*) | 'c':*)"],
    ['sales -old', "('sales':* & !('old':*))"],
    ['-old', "!('old':*)"],
    ['"daily sales"', "('daily' <-> 'sales')"],
    ['-"daily sales" x', "(!(('daily' <-> 'sales')) & 'x':*)"],
    ['(a or b) c', "(('a':* | 'b':*) & 'c':*)"],
    ['-(a or b)', "!(('a':* | 'b':*))"],
    ['temp-room', "('temp' <-> 'room':*)"],
    ['app.metric', "('app' <-> 'metric':*)"],
    ['ordering -organic', "('ordering':* & !('organic':*))"],
    ['été 中文', "('été':* & '中文':*)"],
    ['42', "'42':*"],
  ])('%s', (typed, expression) => expect(searchExpression(typed)).toBe(expression));

  test.each(['', '   ', '()', '"', '""', '-', '--', 'or', 'or or', '%_', '&|!', "'", '\\', '(((', ')))', '-()', ':*', '<->'])(
    '%j has no word in it',
    (typed) => expect(searchExpression(typed)).toBeNull(),
  );

  test.each([
    ['a)b', "('a':* & 'b':*)"],
    ['(a', "'a':*"],
    ['"a b', "('a' <-> 'b')"],
    ['or a or', "'a':*"],
    ['a or or b', "('a':* | 'b':*)"],
    ['a or )', "'a':*"],
    ["a':* | 'b", "('a':* & 'b':*)"],
    ["x'); drop table queries; --", "('x':* & ('drop':* & 'table':* & 'queries':*))"],
    ['a & !b <-> c:*', "('a':* & 'b':* & 'c':*)"],
  ])('%j is read as well as it can be', (typed, expression) => expect(searchExpression(typed)).toBe(expression));

  test('nothing but words and our own signs comes out, whatever goes in', () => {
    const signs = ['a', 'B1', '(', ')', '"', "'", '-', ' ', 'or', '\\', ':', '*', '&', '|', '!', '<', '>', 'é', '\u3000', '\t', '%'];
    for (let seed = 1; seed <= 3000; seed++) {
      let state = seed;
      const next = () => {
        state = (state * 1103515245 + 12345) % 2147483648;
        return signs[state % signs.length] ?? '';
      };
      const typed = Array.from({ length: 1 + (seed % 12) }, next).join('');
      const expression = searchExpression(typed);
      if (expression === null) continue;
      const operators = expression.replace(/'[^'\\:&|!<>()]+'(:\*)?/gu, 'w');
      expect(operators).toMatch(/^[w()!&|<> -]+$/);
      expect(operators.split('(').length).toBe(operators.split(')').length);
      expect(operators).not.toMatch(/\(\)|w w|\(\s*[&|]|[&|]\s*\)/);
    }
  });

  test('a word is never longer than the index takes', () => {
    expect(searchExpression('x'.repeat(1000))).toBe(`'${'x'.repeat(200)}':*`);
    expect(searchExpression(`${'('.repeat(500)}a`)).toBe("'a':*");
  });
});

test('server-behaviour 7.9: a bare number is the number of a query', () => {
  expect([searchedId('12'), searchedId(' 12 '), searchedId('12a'), searchedId('-1'), searchedId('1'.repeat(12)), searchedId('')]).toEqual([
    12,
    12,
    null,
    null,
    null,
    null,
  ]);
});

test('server-behaviour 7.9: parts of words, with and without a key', () => {
  expect(substringTerms('売上 name:日報 description:"東 京" id:7 query:select "a b')).toEqual([
    { key: null, text: '売上' },
    { key: 'name', text: '日報' },
    { key: 'description', text: '東 京' },
    { key: 'id', text: '7' },
    { key: 'query', text: 'select' },
    { key: null, text: 'a b' },
  ]);
  expect(substringTerms('foo:bar NAME:x ""')).toEqual([
    { key: null, text: 'foo:bar' },
    { key: 'name', text: 'x' },
  ]);
  expect(substringTerms('a '.repeat(500))).toHaveLength(20);
});
