import { describe, expect, test } from 'vitest';
import type { Dialect } from '../sql/dialect.ts';
import type { QueryParameter } from './contract.ts';
import { type SubstituteOptions, substitute } from './substitute.ts';

const options: SubstituteOptions = { now: new Date('2024-05-01T10:07:30Z'), timeZone: 'UTC', undeclared: 'refuse', dropdowns: 'unchecked' };
const of = (type: string, more: Partial<QueryParameter> = {}): QueryParameter => ({ name: 'p', title: 'Param', type, ...more });
const text = of('text');
const run = (sql: string, definition: QueryParameter, value: unknown, dialect: Dialect = 'postgres') => {
  const result = substitute(sql, dialect, [definition], { p: value }, options);
  return 'sql' in result ? result.sql : `! ${result.error}`;
};
const multi = (prefix: string) =>
  of('enum', { enumOptions: "a\nb c\nit's\n5\ndesc", multiValuesOptions: { prefix, suffix: prefix, separator: ',' } });

describe('design 8: inside quotes the value is escaped, outside it is a number, a plain name or a quoted text', () => {
  const cases: [string, QueryParameter, unknown, string][] = [
    ["'{{ p }}'", text, "O'Brien", "'O''Brien'"],
    ["like '%{{p}}%'", text, 'a%b', "like '%a%b%'"],
    ['{{ p }}', text, "O'Brien", "'O''Brien'"],
    ['{{ p }}', text, 'two words', "'two words'"],
    ['{{ p }}', text, '5', '5'],
    ['{{ p }}', text, '-1.5e3', '-1.5e3'],
    ['{{ p }}', text, 'schema.table', 'schema.table'],
    ['{{ p }}', text, 'größe', 'größe'],
    ['{{ p }}', text, 'desc', 'desc'],
    ['{{ p }}', text, 'null', 'null'],
    ['{{ p }}', text, 'select', "'select'"],
    ['{{ p }}', text, 'current_user', "'current_user'"],
    ['{{ p }}', text, 'a.b.', "'a.b.'"],
    ['{{ p }}', text, '1 or 1=1', "'1 or 1=1'"],
    ['{{ p }}', text, 'pg_sleep(5)', "'pg_sleep(5)'"],
    ['{{ p }}', text, 'aʼb', "'aʼb'"],
    ['"{{ p }}"', text, 'a"b', '"a""b"'],
    ['{{ p }}', of('number'), '007', '7'],
    ['{{ p }}', of('number'), -5, '-5'],
    ["'{{ p }}'", of('number'), 5, "'5'"],
    ['x -{{ p }}', of('number'), -5, 'x - -5'],
    ['x-{{ p }}', text, '-5', 'x- -5'],
    ['({{ p }})', of('number'), -5, '(-5)'],
    ['{{ p }}', of('date'), '2024-02-29', "'2024-02-29'"],
    ["date '{{ p }}'", of('date'), '2024-02-29', "date '2024-02-29'"],
    ['{{ p }}', of('datetime-local'), '2024-02-29T10:00:30', "'2024-02-29 10:00'"],
    ["'{{p.start}}' and {{ p.end }}", of('date-range'), { start: '2024-01-01', end: '2024-01-31' }, "'2024-01-01' and '2024-01-31'"],
    ['{{ p }}', multi(''), 'desc', 'desc'],
    ['order by x {{ p }}', of('enum', { enumOptions: 'asc\ndesc nulls last' }), 'asc', 'order by x asc'],
    ['in ({{ p }})', multi("'"), ['a', "it's"], "in ('a','it''s')"],
    ['in ({{ p }})', multi("'"), 'a', "in ('a')"],
    ['in ({{ p }})', multi('"'), ['a', 'b c'], 'in ("a","b c")'],
    ['in ({{ p }})', multi(''), ['a', 'b c', "it's", '5'], "in (a,'b c','it''s',5)"],
    ["'{{ p }}'", multi(''), ['a', "it's"], "'a,it''s'"],
    ["'{{ p }}'", multi("'"), ['a', 'b c'], "'''a'',''b c'''"],
    ['{{{ p }}} {{& p }}', text, 'x y', "'x y' 'x y'"],
  ];
  test.each(cases)('%s %j %j', (sql, definition, value, expected) => expect(run(sql, definition, value)).toBe(expected));
});

describe('W1: by dialect', () => {
  const cases: [Dialect, string, string, string][] = [
    ['mysql', "'{{ p }}'", "\\' or 1=1 -- ", "'\\\\'' or 1=1 -- '"],
    ['mysql', '"{{ p }}"', '\\" or 1=1 # ', '"\\\\"" or 1=1 # "'],
    ['mysql', '{{ p }}', "\\'", "'\\\\'''"],
    ['mysql', '`{{ p }}`', 'a`b\\', '`a``b\\`'],
    ['postgres', "'{{ p }}'", "\\'", "'\\'''"],
    ['postgres', "E'{{ p }}'", "\\'", "E'\\\\'''"],
    ['postgres', "E'a'\n'{{ p }}'", "\\'", "E'a'\n'\\\\'''"],
    ['clickhouse', "'{{ p }}' `{{ p }}`", "\\'`", "'\\\\''`' `\\\\'```"],
    ['sqlite', '[{{ p }}]', "it's", "[it's]"],
    ['duckdb', "{'a': {{ p }}}", "it's", "{'a': 'it''s'}"],
    ['generic', "'{{ p }}'", "O'Brien", "'O''Brien'"],
    ['postgres', 'a[{{ p }}]', '5', 'a[5]'],
  ];
  test.each(cases)('%s %s %j', (dialect, sql, value, expected) => expect(run(sql, text, value, dialect)).toBe(expected));
});

describe('W1: in comments a value is made harmless', () => {
  const cases: [Dialect, string, string, string][] = [
    ['postgres', '-- {{ p }}\nselect 1', 'a\n; drop table t', '-- a__ drop table t\nselect 1'],
    ['postgres', '/* {{ p }} */', '*/ drop /*', '/* __ drop __ */'],
    ['mysql', '# {{ p }}\n', "it's 10:30", '# it_s 10:30\n'],
  ];
  test.each(cases)('%s %s %j', (dialect, sql, value, expected) => expect(run(sql, text, value, dialect)).toBe(expected));
});

describe('a value that is a piece of a name', () => {
  const cases: [string, unknown, string][] = [
    ['metric_{{ p }}', 2024, 'metric_2024'],
    ['{{ p }}_metric', 'a', 'a_metric'],
    ['t.{{ p }}', 'a', 't.a'],
    ['t.{{ p }}.c', 'a.b', 't.a.b.c'],
    ['{{ p }}{{ p }}', 'ab', 'abab'],
    ['x::{{ p }}', 'int', 'x::int'],
  ];
  test.each(cases)('%s %j', (sql, value, expected) => expect(run(sql, text, value)).toBe(expected));
  const refused: [string, string][] = [
    ['metric_{{ p }}', 'a b'],
    ['metric_{{ p }}', 'a.b'],
    ['metric_{{ p }}', "x'"],
    ['E{{ p }}', "\\' or 1=1 --"],
    ['t.{{ p }}', '"a"'],
    ['sel{{ p }}', 'ect'],
    ["{{ p }}'x'", 'E'],
    ["'x'{{ p }}", 'y'],
    ["'x'\n{{ p }}", 'y z'],
    ["E'x'\n-- c\n{{ p }}", '\\'],
    ['@{{ p }}', 'x'],
    ["U&{{ p }}'x'", 'y'],
    ['$' + '{{ p }}$', 'x'],
  ];
  test.each(refused)('%s refuses %j', (sql, value) => expect(run(sql, text, value)).toMatch(/^! /));
});

describe('W1: places and values that are refused', () => {
  const cases: [Dialect, string, string, RegExp][] = [
    ['postgres', "'{{ p }}'", 'a\0b', /incompatible with their definitions: p/],
    ['postgres', "'{{ p }}'", 'a\udfff', /incompatible with their definitions: p/],
    ['postgres', '$$ {{ p }} $$', "it's", /special kind of quotes/],
    ['postgres', '$$ {{ p }}$$', '$', /special kind of quotes/],
    ['postgres', "U&'{{ p }}'", '\\0027', /special kind of quotes/],
    ['sqlite', '[{{ p }}]', 'a] --', /must not have a \]/],
    ['mysql', "'\\{{ p }}'", "'", /behind a backslash/],
    ['clickhouse', "'\\\\\\{{ p }}'", "'", /behind a backslash/],
    ['mysql', '/*! select {{ p }} */', 'x', /more than one way/],
    ['postgres', "select 'open {{ p }}", 'x', /is not closed/],
    ['postgres', '/* {{ p }}', 'x', /is not closed/],
    ['generic', "'{{ p }}'", 'a\\', /cannot be used safely/],
    ['generic', "'{{ p }}'", "a''b", /cannot be used safely/],
    ['generic', "[it's] = '{{ p }}'", 'x', /more than one way/],
    ['generic', '[{{ p }}]', "it's", /special kind of quotes/],
    ['postgres', '{{# p }}x{{/ p }}', 'x', /not supported/],
    ['postgres', '{{! p }}', 'x', /not supported/],
  ];
  test.each(cases)('%s %s %j', (dialect, sql, value, message) => expect(run(sql, text, value, dialect)).toMatch(message));

  test('a list with another quotation or separator is refused outside of quotes', () => {
    expect(run('({{ p }})', of('query', { multiValuesOptions: { prefix: '(', suffix: ')' } }), ['a'])).toMatch(/same before and after/);
    expect(run('({{ p }})', of('query', { multiValuesOptions: { prefix: '); --', suffix: '); --' } }), ['a'])).toMatch(/must be none/);
    expect(run('({{ p }})', of('query', { multiValuesOptions: { separator: '); --' } }), ['a', 'b'])).toMatch(/must be a comma/);
    expect(run("'{{ p }}'", of('query', { multiValuesOptions: { separator: "'; --" } }), ['a', 'b'])).toBe("'a''; --b'");
  });

  test('a part that the type does not have', () => {
    expect(run('{{ p }}', of('date-range'), 'd_today')).toBe('! The parameter "Param" is a range: use {{ p.start }} and {{ p.end }}.');
    expect(run('{{ p.start }}', text, 'x')).toMatch(/has no part "start"/);
    expect(run('{{ p.constructor }}', of('date-range'), 'd_today')).toMatch(/has no part/);
  });
});

describe('what comes before writing', () => {
  test('W3: undeclared placeholders are refused in saved queries', () => {
    expect(substitute('{{ p }} {{ q }} {{ r.start }}', 'postgres', [text], { p: 'x' }, options)).toEqual({
      error: 'The query uses parameters that are not declared: q, r',
      reason: 'undeclared',
    });
  });

  test('Q5: missing values have their exact words', () => {
    const definitions = [text, { name: 'q', title: 'Other', type: 'date' }];
    expect(substitute('{{ p }} {{ q }}', 'postgres', definitions, {}, options)).toEqual({
      error: 'missing values for Param, Other parameters.',
      reason: 'missing',
    });
    expect(substitute('{{ p }} {{ q }}', 'postgres', definitions, { p: 'x', q: null }, options)).toEqual({
      error: 'missing value for Other parameter.',
      reason: 'missing',
    });
  });

  test('server-behaviour 8.1: incompatible values come before missing ones', () => {
    const definitions = [text, { name: 'n', type: 'number' }, { name: 'e', type: 'enum', enumOptions: 'a' }];
    expect(substitute('{{ p }} {{ n }} {{ e }}', 'postgres', definitions, { n: 'x', e: 'b' }, options)).toEqual({
      error: 'The following parameter values are incompatible with their definitions: n, e',
      reason: 'incompatible',
    });
  });

  test('a dropdown takes what its query offers', () => {
    const dropdowns = { p: ['a', 'b'] };
    expect(substitute('{{ p }}', 'postgres', [of('query')], { p: 'c' }, { ...options, dropdowns })).toMatchObject({
      reason: 'incompatible',
    });
    expect(substitute('{{ p }}', 'postgres', [of('query')], { p: 'b' }, { ...options, dropdowns })).toEqual({ sql: 'b' });
  });

  test('a text without placeholders is what it is, even when it is not closed', () => {
    for (const sql of ['select 1', "select 'open", 'select {{ {a} }}', '']) {
      expect(substitute(sql, 'postgres', [], {}, options)).toEqual({ sql });
    }
  });
});

describe('design 8: ad hoc runs take undeclared placeholders as text', () => {
  const adHoc = (sql: string, values: Record<string, unknown>, definitions: QueryParameter[] = []) =>
    substitute(sql, 'postgres', definitions, values, { ...options, undeclared: 'text' });

  test('texts, numbers, lists and the parts of a range', () => {
    const values = { a: "it's", n: 5, l: ['x', 'y z'], t: { start: '2024-01-01', end: '2024-01-02' } };
    expect(adHoc("'{{a}}' {{n}} ({{l}}) {{t.start}} '{{t.end}}'", values)).toEqual({
      sql: "'it''s' 5 (x,'y z') '2024-01-01' '2024-01-02'",
    });
  });
  test('values that nobody asked for do not matter', () => expect(adHoc('select 1', { x: 'y' }, [text])).toEqual({ sql: 'select 1' }));
  test('declared ones keep their type', () =>
    expect(adHoc('{{ p }} {{ q }}', { p: 'x', q: 'y' }, [of('number')])).toMatchObject({ reason: 'incompatible' }));
  test('missing ones are missing', () =>
    expect(adHoc('{{ a_b }}', {})).toEqual({ error: 'missing value for a_b parameter.', reason: 'missing' }));
  test('odd ones are refused', () => {
    expect(adHoc('{{ a }}', { a: { b: {} } })).toMatchObject({ reason: 'incompatible' });
    expect(adHoc('{{ a }}', { a: 'x\0' })).toMatchObject({ reason: 'incompatible' });
    expect(adHoc('{{ a }}', { a: { start: 'x' } })).toMatchObject({ reason: 'refused' });
    expect(adHoc('{{ a.start }}', { a: 'x' })).toMatchObject({ reason: 'refused' });
    expect(adHoc('{{ a.toString }}', { a: { start: 'x' } })).toMatchObject({ reason: 'refused' });
  });
});

describe('W24: dynamic dates are resolved on the server', () => {
  test('in the zone that is asked for', () => {
    const range = of('datetime-range');
    const at = { ...options, now: new Date('2024-03-31T22:30:00Z') };
    const sql = '{{ p.start }} {{ p.end }}';
    expect(substitute(sql, 'postgres', [range], { p: 'd_today' }, at)).toEqual({ sql: "'2024-03-31 00:00' '2024-03-31 23:59'" });
    expect(substitute(sql, 'postgres', [range], { p: 'd_today' }, { ...at, timeZone: 'Europe/Berlin' })).toEqual({
      sql: "'2024-04-01 00:00' '2024-04-01 23:59'",
    });
  });
  test('single dates, and the legacy flag', () => {
    expect(run("'{{ p }}'", of('date'), 'd_yesterday')).toBe("'2024-04-30'");
    expect(run("'{{ p }}'", of('datetime-local', { useCurrentDateTime: true }), null)).toBe("'2024-05-01 10:07'");
  });
});
