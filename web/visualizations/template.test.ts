import { expect, test } from 'vitest';
import { fillTemplate, rowLookup } from './template.ts';

const row = JSON.parse('{"id": 7, "my column": "x y", "none": null, "a.b": true, "__proto__": "p", "[odd]": 1}');
const fill = (template: string) => fillTemplate(template, rowLookup(row, 'own'));

test.each([
  ['/devices/{{ id }}', '/devices/7'],
  ['{{id}}-{{  id  }}', '7-7'],
  ['{{ @ }}', 'own'],
  ['{{ a.b }}', 'true'],
  ['{{ none }}!', '!'],
  ['{{ __proto__ }}', 'p'],
  ['{{ [odd] }}', '1'],
])('2.7: %s is %s', (template, text) => {
  expect(fill(template)).toBe(text);
});

test('36: names with spaces', () => {
  expect(fill('{{ my column }}/{{ [my column] }}')).toBe('x y/x y');
});

test.each(['{{ unknown }}', '{{ constructor }}', '{{ [no] }}', '{{}}', '{{ a'])('2.7: %s stays as it is', (template) => {
  expect(fill(template)).toBe(template);
});
