import { describe, expect, test } from 'vitest';
import { dialects } from '../sql/dialect.ts';
import { sampler, sqlShards } from '../sql/sampling.ts';
import { tokenize } from '../sql/tokenize.ts';
import type { QueryParameter } from './contract.ts';
import {
  findPlaceholders,
  newParameter,
  parameterNames,
  parametersInUse,
  placeholderText,
  referenceOf,
  rememberParameters,
  undeclaredNames,
} from './placeholders.ts';

describe('screens 8.1: names come from placeholders', () => {
  const cases: [string, string[]][] = [
    ['select {{a}}, {{ b }}, {{ a }}', ['a', 'b']],
    ['select {{ my param }}, {{größe}}, {{ a-b:c (d)/e }}', ['my param', 'größe', 'a-b:c (d)/e']],
    ['between {{ t.start }} and {{ t.end }}', ['t']],
    ['{{{ raw }}} {{& amp }}', ['raw', 'amp']],
    ["'{{ in_text }}' -- {{ in_comment }}\n/* {{ too }} */", ['in_text', 'in_comment', 'too']],
    ['{{# on }} and x {{/ on }} {{^ off }}{{/off}}', ['on', 'off']],
    ['{{! a comment }} {{> partial }}', []],
    ['{{}} { { a } } {{a} {a}}', []],
    ["'{{1,2},{3,4}}' '{{1,2}}' {{ it's }} {{ a\nb }} {{ a;b }}", []],
    ['{"$match": {"a": {"b": 1}}}', []],
  ];
  test.each(cases)('%s', (text, expected) => expect(parameterNames(text)).toEqual(expected));
});

test('a placeholder lies wholly inside or wholly outside of every token', () => {
  const { text } = sampler(7);
  for (const dialect of dialects) {
    for (let round = 0; round < 3000; round++) {
      const sql = text([...sqlShards, '{{ p }}', '{{p.start}}', '{{{ q }}}', '{{# s }}'], 20);
      const whole = findPlaceholders(sql).map(({ start, end }) => `${start}-${end}`);
      const parts = tokenize(sql, dialect).flatMap((token) =>
        findPlaceholders(token.text).map(({ start, end }) => `${token.start + start}-${token.start + end}`),
      );
      expect(parts).toEqual(whole);
    }
  }
});

test('a dotted path is a parameter of that very name, else a part of the one before the dot', () => {
  const defined = new Set(['a.b', 'a', 'x.y']);
  expect(referenceOf('a.b', defined)).toEqual({ name: 'a.b', part: null });
  expect(referenceOf('a.b.start', defined)).toEqual({ name: 'a.b', part: 'start' });
  expect(referenceOf('a.end', defined)).toEqual({ name: 'a', part: 'end' });
  expect(referenceOf('x.y.end', defined)).toEqual({ name: 'x.y', part: 'end' });
  expect(referenceOf('z.w.v', defined)).toEqual({ name: 'z', part: 'w.v' });
});

test('W3: undeclared placeholders are found, also in sections', () => {
  expect(undeclaredNames('{{a}} {{b.start}} {{#c}}{{/c}}', [newParameter('a')])).toEqual(['b', 'c']);
});

describe('definitions follow the text', () => {
  const a: QueryParameter = { name: 'a', title: 'A', type: 'number', value: 5 };
  const b: QueryParameter = { name: 'b', title: 'B', type: 'date', value: 'd_now' };

  test('known ones keep their order and settings, new ones are text titled with the raw name', () => {
    expect(parametersInUse('{{ new_one }} {{ a }} {{ b }}', [b, a])).toEqual([
      b,
      a,
      { name: 'new_one', title: 'new_one', type: 'text', value: null, global: false },
    ]);
  });

  test('ones that are not in the text are not in use', () => expect(parametersInUse('{{ b }}', [a, b])).toEqual([b]));

  test('complaint 17: a placeholder that is gone for a moment comes back with its settings', () => {
    const known = rememberParameters([a, b], parametersInUse('{{ a }} {{ bb }}', [a, b]));
    expect(known.map(({ name }) => name)).toEqual(['a', 'b', 'bb']);
    expect(parametersInUse('{{ a }} {{ b }}', known)).toEqual([a, b]);
  });

  test('a changed definition replaces the remembered one', () => {
    expect(rememberParameters([a, b], [{ ...a, value: 6 }])).toEqual([{ ...a, value: 6 }, b]);
  });

  test('of two definitions of one name the first counts', () => {
    expect(parametersInUse('{{ a }}', [a, { ...a, type: 'text' }])).toEqual([a]);
  });
});

test('screens 8.2: what Add Parameter pastes', () => {
  expect(placeholderText({ name: 'kw', type: 'text' })).toBe('{{ kw }}');
  expect(placeholderText({ name: 'kw', type: 'date-range' })).toBe('{{ kw.start }} {{ kw.end }}');
});
