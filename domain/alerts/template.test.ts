import { expect, test } from 'vitest';
import { renderTemplate } from './template.ts';

const values = { NAME: '<b>"x"</b>', EMPTY: '', ROWS: [{ v: 1 }, { v: null, w: 'two' }], COUNT: 2 };
const escaped = (text: string) => text.replaceAll('<', '&lt;').replaceAll('"', '&quot;');

test.each([
  ['Hello {{NAME}}!', 'Hello <b>"x"</b>!'],
  ['{{ NAME }}{{! a comment }}{{MISSING}}', '<b>"x"</b>'],
  ['{{#ROWS}}[{{v}}|{{w}}|{{COUNT}}]{{/ROWS}}', '[1||2][|two|2]'],
  ['{{^EMPTY}}none{{/EMPTY}}{{#EMPTY}}some{{/EMPTY}}', 'none'],
  ['{{#ROWS}}open {{COUNT}}', '{{#ROWS}}open 2'],
  ['{{/ROWS}} {{constructor}} {{__proto__}} {{toString}}', '{{/ROWS}}   '],
  ['{{ROWS}}', '[{"v":1},{"v":null,"w":"two"}]'],
  ['no tags { } {{', 'no tags { } {{'],
])('14.5: %j', (template, expected) => {
  expect(renderTemplate(template, values)).toBe(expected);
});

test('design 8.1: values are text, also between three braces', () => {
  expect(renderTemplate('<i>{{NAME}}{{{NAME}}}{{&NAME}}</i>', values, escaped)).toBe(`<i>${'&lt;b>&quot;x&quot;&lt;/b>'.repeat(3)}</i>`);
});

test('a template that would never end ends', () => {
  const rows = Array.from({ length: 1000 }, () => ({ v: 'x'.repeat(100) }));
  const nested = '{{#R}}{{#R}}{{#R}}{{v}}{{/R}}{{/R}}{{/R}}';
  expect(renderTemplate(nested, { R: rows }).length).toBeLessThanOrEqual(100_000);
});

test.each([4, 20])('security 32: %i sections inside each other end, also when they write nothing', (depth) => {
  const rows = Array.from({ length: 1000 }, () => ({ v: 1 }));
  expect(renderTemplate(`${'{{#R}}'.repeat(depth)}${'{{/R}}'.repeat(depth)}`, { R: rows })).toBe('');
});

test('a table of a thousand rows and ten columns is written whole', () => {
  const rows = Array.from({ length: 1000 }, () => Array.from({ length: 10 }, () => 1));
  expect(renderTemplate('{{#R}}{{#.}}{{.}};{{/.}}\n{{/R}}', { R: rows })).toBe(`${'1;'.repeat(10)}\n`.repeat(1000));
});

test.each(['{{', '{{{', '{{#', '{{ x'])('security 32: %j before a million blanks is plain text', (start) => {
  const text = `${start}${' '.repeat(1_000_000)}`;
  expect(renderTemplate(text, {})).toBe(text.slice(0, 100_000));
});
