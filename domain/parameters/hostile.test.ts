import { describe, expect, test } from 'vitest';
import { type Dialect, dialects, rulesOf } from '../sql/dialect.ts';
import { sampler, sqlShards } from '../sql/sampling.ts';
import { type Token, tokenize } from '../sql/tokenize.ts';
import type { QueryParameter } from './contract.ts';
import { type SubstituteOptions, substitute } from './substitute.ts';

const options: SubstituteOptions = { now: new Date('2024-05-01T10:07:30Z'), timeZone: 'UTC', undeclared: 'refuse', dropdowns: 'unchecked' };

/** The allowed shapes of a value outside of quotes: a number, a path, a text or a quoted name, alone or in a list. */
const valueShape = /^ ?(?:-?N|W(?:\.W)*|S|Q)(?:,(?:-?N|W(?:\.W)*|S|Q))*$/;
const letters: Partial<Record<Token['kind'], string>> = { number: 'N', word: 'W', string: 'S', 'quoted-identifier': 'Q', space: ' ' };
const shapeOf = (tokens: Token[]) => tokens.map(({ kind, text }) => letters[kind] ?? text).join('');

/**
 * The proof of W1, without the code under test: token by token the result equals the template. A token without a placeholder is unchanged,
 * a literal with one is still one literal, and a bare placeholder became a value and nothing else.
 */
function expectSameStructure(template: string, sql: string, dialect: Dialect) {
  const before = tokenize(template, dialect);
  const after = tokenize(sql, dialect);
  let at = 0;
  for (const [i, token] of before.entries()) {
    if (token.kind !== 'placeholder') {
      const now = after[at++];
      expect(now?.kind).toBe(token.kind);
      expect(now?.unterminated).toBeUndefined();
      if (!token.text.includes('{{')) expect(now?.text).toBe(token.text);
      continue;
    }
    // All tokens until as many are left as in the template.
    const rest = before.slice(i + 1).filter(({ kind }) => kind === 'placeholder').length;
    expect(rest, 'templates here have one bare placeholder').toBe(0);
    const end = after.length - (before.length - i - 1);
    expect(shapeOf(after.slice(at, end))).toMatch(valueShape);
    at = end;
  }
  expect(at).toBe(after.length);
}

const templates = [
  "select '{{ p }}' from t where a = 1",
  "select 'x{{ p }}y{{ p }}' from t",
  'select "{{ p }}" from t',
  'select {{ p }} from t',
  'select ({{ p }}) -- {{ p }}\nfrom t',
  "select a-{{ p }}, 'b''{{ p }}''' from t /* {{ p }} */ where 'z' = 'z'",
  "select a from t where b in ({{ p }}) and c = '{{ p }}' -- '",
  "select a from t where {{ p }}='x' or \"c\" = 'd'",
  "select E'{{ p }}' || 'a\\\\{{ p }}' from t",
  "select E'a'\n'{{ p }}' from t",
  "select 'a'\n{{ p }}, 'b' from t",
  "select E'a' -- c\n{{ p }}, 'b' from t",
  'select $$ {{ p }} $$',
  'select $a$ {{ p }} $a$',
  'select `{{ p }}` from t',
  'select [{{ p }}] from t',
  'select a -- {{ p }}\n, b # {{ p }}\n, c',
  'select /* {{ p }} */ /* /* {{ p }} */ 1',
  'select 1 // {{ p }}\n from t',
];

const of = (type: string, more: Partial<QueryParameter> = {}): QueryParameter => ({ name: 'p', type, ...more });
const quotations = ['', "'", '"'].map((quote) => ({ prefix: quote, suffix: quote, separator: ',' }));

const { below, pick, text } = sampler(42);
const hostile = () => text(sqlShards, 12) || "'";
const attacks = [
  "\\' or 1=1 -- ",
  "' or ''='",
  '*/ drop table t /*',
  "'; drop table t; --",
  '$$; drop table t; $$',
  '`; drop',
  '"; --',
  '\\',
  "\\\\'",
  "'\n--",
  '--\n',
  "ʼ' or 1=1 --",
  "\u00bf'",
  '＇ or 1=1',
];

/** A definition and a hostile value for it, of every type. */
function sample(): [QueryParameter, unknown] {
  const value = below(3) === 0 ? pick(attacks) : hostile();
  switch (below(6)) {
    case 0:
      return [of('enum', { enumOptions: ['a', value] }), value];
    case 1: {
      const values = [value, hostile(), pick(attacks)];
      return [of('enum', { enumOptions: values, multiValuesOptions: pick(quotations) }), values];
    }
    case 2:
      return [of('query', { multiValuesOptions: pick([null, ...quotations]) }), value];
    case 3:
      return [of(pick(['number', 'date', 'datetime-local', 'datetime-with-seconds'])), `${pick(['2024-01-01', '5', ''])}${value}`];
    case 4:
      return [of('text-pattern', { regex: '.*' }), value];
    default:
      return [of('text'), value];
  }
}

describe.each(dialects)('W1: %s: no value of any type leaves its place', (dialect) => {
  test('however hostile it is', () => {
    let written = 0;
    for (let round = 0; round < 3000; round++) {
      const template = pick(templates);
      const [definition, value] = sample();
      const result = substitute(template, dialect, [definition], { p: value }, options);
      if (!('sql' in result)) continue;
      written++;
      expectSameStructure(template, result.sql, dialect);
    }
    expect(written).toBeGreaterThan(500);
  });

  test('and inside quotes the database reads back exactly that value', () => {
    for (let round = 0; round < 1500; round++) {
      const value = hostile();
      const result = substitute("select '{{ p }}' from t", dialect, [of('text')], { p: value }, options);
      if (!('sql' in result)) continue;
      const literal = tokenize(result.sql, dialect).find(({ kind }) => kind === 'string')?.text ?? '';
      expect(unquote(literal, rulesOf(dialect).backslashIn.includes("'"))).toBe(value);
    }
  });

  test('refusals of plain text are rare: ordinary values get through', () => {
    for (const value of [
      'a',
      'two words',
      "O'Brien",
      '50 %',
      'x@y.org',
      'a/b',
      '(1)',
      '日本',
      '😀',
      '2024-01-01',
      'a-b',
      '"q"',
      'a;b',
      '#1',
      '$5',
    ]) {
      for (const template of ["'{{ p }}'", 'a = {{ p }} and b']) {
        expect(substitute(template, dialect, [of('text')], { p: value }, options), value).toHaveProperty('sql');
      }
    }
  });
});

function unquote(literal: string, escapes: boolean): string {
  const inner = literal.slice(1, -1);
  return escapes ? inner.replace(/\\(.)|''/gs, (_, char: string | undefined) => char ?? "'") : inner.replaceAll("''", "'");
}
