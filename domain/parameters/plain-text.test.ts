import { expect, test } from 'vitest';
import { substitute } from './substitute.ts';

const run = (text: string, value: unknown, type = 'text') =>
  substitute(text, 'plain', [{ name: 'p', type }], { p: value }, { now: new Date(0), timeZone: 'UTC', undeclared: 'refuse' });

test.each([
  ['url: https://x.io/api/{{ p }}', 'berlin', 'url: https://x.io/api/berlin'],
  ['name: {{ p }}', 'O"Hara # x', 'name: "O\\"Hara # x"'],
  ['{"a": "{{p}}"}', 'q"uote\\', '{"a": "q\\"uote\\\\"}'],
  ['up{job="{{p}}"}', 'a"} or x{', 'up{job="a\\"} or x{"}'],
  ['list: [{{p}}, 2]', 'a, b]', 'list: ["a, b]", 2]'],
])('W1: in %s the value stays inside its place', (text, value, expected) => {
  expect(run(text, value)).toEqual({ sql: expected });
});

test('W1: a number stays a number', () => {
  expect(run('limit: {{p}}', 12.5, 'number')).toEqual({ sql: 'limit: 12.5' });
});

test.each(['a&b=c', '../x#', 'x\ny: 1', "it's"])('W1: %j cannot be part of an address', (value) => {
  expect(run('url: https://x.io/{{p}}/end', value)).toMatchObject({ reason: 'refused' });
});

test('W1: a line feed cannot open another YAML key', () => {
  expect(run('url: {{p}}', 'x\nmethod: post')).toEqual({ sql: 'url: "x\\nmethod: post"' });
});
