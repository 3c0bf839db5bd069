import type { ResultColumn, ResultRow } from '@telltale/domain/results/contract.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { commonSettings } from '../displaySettings.ts';
import { resultTable } from '../resultTable.ts';
import TableRenderer from './Renderer.tsx';
import { searchPlaceholder } from './searchTexts.ts';
import { tableOptions } from './tableOptions.ts';
import { nextSort } from './view/sortState.ts';

function drawn(columns: ResultColumn[], rows: ResultRow[], stored: Record<string, unknown> = {}): string {
  const table = resultTable({ columns, rows });
  const options = tableOptions({ columns: table.columns, settings: commonSettings }).parse(stored);
  return renderToStaticMarkup(<TableRenderer table={table} options={options} settings={commonSettings} context="query" name="Test" />);
}
const text: ResultColumn = { name: 'a', type: 'string' };
const cells = (html: string) =>
  [...html.matchAll(/<td[^>]*aria-colindex[^>]*>(.*?)<\/td>/gs)].map(([, cell]) => cell?.replace(/<[^>]+>/g, ''));

describe('visualizations 4.3: drawing', () => {
  test('zero rows show the columns and a sentence', () => {
    const html = drawn([text, { name: 'b', type: 'float' }], []);
    expect(html).toContain('Query returned no rows');
    expect(html.match(/<th /g)).toHaveLength(2);
  });

  test("null is the organisation's null text, a missing value is empty", () => {
    expect(cells(drawn([text], [{ a: null }, {}, { a: '' }]))).toEqual(['null', '', '']);
  });

  test('only visible columns, in their order', () => {
    const columns = ['a', 'b', 'c'].map((name): ResultColumn => ({ name, type: 'string' }));
    const stored = { columns: [{ name: 'c' }, { name: 'a', visible: false }, { name: 'b' }] };
    expect(cells(drawn(columns, [{ a: '1', b: '2', c: '3' }], stored))).toEqual(['3', '2']);
  });

  test('text is text', () => {
    const html = drawn([text], [{ a: '<img src=x onerror=alert(1)>' }]);
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x');
  });

  test('a link that may not be followed is text', () => {
    const stored = { columns: [{ name: 'a', displayAs: 'link' }] };
    expect(drawn([text], [{ a: 'javascript:alert(1)' }], stored)).not.toContain('href');
    const html = drawn([text], [{ a: 'https://a.example' }], stored);
    expect(html).toContain('href="https://a.example"');
    expect(html).toContain('rel="noopener noreferrer"');
  });

  test('names that break others', () => {
    const names = ['a.b', '__proto__', 'constructor', 'x"y', '漢字', ''];
    const columns = names.map((name): ResultColumn => ({ name, type: 'string' }));
    const row: ResultRow = JSON.parse(`{${names.map((name, at) => `${JSON.stringify(name)}:"v${at}"`).join()}}`);
    expect(cells(drawn(columns, [row]))).toEqual(['v0', 'v1', 'v2', 'v3', 'v4', 'v5']);
  });

  test('a hundred thousand letters are not put into the page', () => {
    const html = drawn([text], [{ a: 'x'.repeat(100_000) }]);
    expect(html.length).toBeLessThan(20_000);
    expect(html).toContain('Show all of a');
  });

  test('visualizations 4.3: text is not cut, except in the single lines of a long page', () => {
    const long = `${'word '.repeat(400)}\nlast`;
    expect(cells(drawn([text], [{ a: long }]))).toEqual([long]);
    expect(drawn([text], [{ a: long }])).not.toContain('Show all');
    const rows = Array.from({ length: 300 }, () => ({ a: long }));
    const [first] = cells(drawn([text], rows, { itemsPerPage: 250 }));
    expect(first).toHaveLength(400);
  });

  test('of 500 columns only those in sight are drawn', () => {
    const columns = Array.from({ length: 500 }, (_, at): ResultColumn => ({ name: `c${at}`, type: 'integer' }));
    const html = drawn(columns, [Object.fromEntries(columns.map(({ name }, at) => [name, at]))]);
    expect(html.match(/<th /g)?.length).toBeLessThan(60);
    expect(html).toContain('aria-colcount="500"');
  });

  test('visualizations 4.6: a page at a time; a page above 100 rows is drawn as far as it is seen', () => {
    const rows = Array.from({ length: 1000 }, (_, at) => ({ a: `row ${at}` }));
    expect(cells(drawn([text], rows))).toHaveLength(25);
    expect(drawn([text], rows)).toContain('1–25 of 1,000');
    expect(cells(drawn([text], rows, { itemsPerPage: 100 }))).toHaveLength(100);
    const all = drawn([text], rows, { itemsPerPage: 1_000_000_000 });
    expect(cells(all).length).toBeLessThan(10);
    expect(all).toContain('aria-rowcount="1001"');
    expect(all).not.toContain('Next page');
  });
});

test('visualizations 4.5: what the search box says', () => {
  expect(searchPlaceholder(['A'])).toBe('Search A...');
  expect(searchPlaceholder(['A', 'B'])).toBe('Search A and B...');
  expect(searchPlaceholder(['A', 'B', 'C'])).toBe('Search A, B and C...');
  expect(searchPlaceholder(['A', 'B', 'C', 'D', 'E'])).toBe('Search A, B, C and 2 others...');
});

describe('visualizations 4.4: clicks', () => {
  const up = (name: string) => ({ name, isDescending: false });
  const down = (name: string) => ({ name, isDescending: true });

  test('ascending, descending, none', () => {
    expect(nextSort([], 'a', false)).toEqual([up('a')]);
    expect(nextSort([up('a')], 'a', false)).toEqual([down('a')]);
    expect(nextSort([down('a')], 'a', false)).toEqual([]);
    expect(nextSort([up('a'), up('b')], 'c', false)).toEqual([up('c')]);
  });

  test('Shift adds a column, or changes it in its place', () => {
    expect(nextSort([up('a')], 'b', true)).toEqual([up('a'), up('b')]);
    expect(nextSort([up('a'), up('b')], 'a', true)).toEqual([down('a'), up('b')]);
    expect(nextSort([down('a'), up('b')], 'a', true)).toEqual([up('b')]);
  });
});
