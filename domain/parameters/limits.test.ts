import { describe, expect, test } from 'vitest';
import { substitute, substituting } from './substitute.ts';

const options = { now: new Date(0), timeZone: 'UTC', undeclared: 'text', dropdowns: 'unchecked' } as const;
const bind = (text: string, values: object, longest?: number) =>
  substitute(text, 'postgres', [], values as Record<string, unknown>, { ...options, ...(longest && { longest }) });

describe('security 32: what parameters multiply is refused before it is built', () => {
  test('too many placeholders are refused, whatever their values', () => {
    const text = `select ${'{{a}},'.repeat(100_000)}1`;
    expect(bind(text, { a: 'x'.repeat(250_000) })).toEqual({
      error: 'This query has 100000 placeholders; at most 5000 are possible.',
      reason: 'refused',
    });
  });

  test.each([
    ['outside of quotes', `select ${'{{a}},'.repeat(5000)}1`],
    ['inside of one text', `select '${'{{a}}'.repeat(5000)}'`],
    ['inside of comments', `select 1 ${'/* {{a}} */'.repeat(5000)}`],
  ])('5,000 times a long value is refused: %s', (_, text) => {
    const error = 'With these values the query is too long: at most 1000000 characters are possible.';
    for (const a of ['x y '.repeat(62_500), Array.from({ length: 250_000 }, () => 'x')]) {
      expect(bind(text, { a })).toEqual({ error, reason: 'refused' });
      expect(substitute(`a: "${text}"`.replaceAll("'", ''), 'plain', [], { a }, options)).toEqual({ error, reason: 'refused' });
    }
  });

  test('the finished text may be exactly as long as is allowed; escapes count', () => {
    const [sql, tooLong] = [`select 'a''b'`, 'With these values the query is too long: at most 12 characters are possible.'];
    expect(bind(`select '{{a}}'`, { a: `a'b` }, 13)).toEqual({ sql });
    expect(bind(`select '{{a}}'`, { a: `a'b` }, 12)).toEqual({ error: tooLong, reason: 'refused' });
  });

  test('a long placeholder for a short value does not count', () => {
    const name = 'a'.repeat(100);
    expect(bind(`select {{${name}}}`, { [name]: 1 }, 8)).toEqual({ sql: 'select 1' });
  });

  test('a long text is bound in steps, with the same outcome', () => {
    const text = `select {{a}}, ${'1,'.repeat(50_000)}1`;
    const steps = substituting(text, 'postgres', [], { a: 7 }, options);
    let count = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) count++;
    expect(count).toBeGreaterThan(100);
    expect(step.value).toEqual({ sql: text.replace('{{a}}', '7') });
  });
});
