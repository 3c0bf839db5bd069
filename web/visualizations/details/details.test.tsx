import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { commonSettings } from '../displaySettings.ts';
import { resultTable } from '../resultTable.ts';
import { detailsOptions } from './detailsOptions.ts';
import { details } from './index.ts';
import DetailsRenderer from './Renderer.tsx';

const table = resultTable({
  columns: [
    { name: 'device', type: 'string' },
    { name: 'time', type: 'datetime' },
    { name: 'value', type: 'float' },
    { name: 'note', type: 'string' },
  ],
  rows: [
    { device: 'roof-1', time: '2024-02-09T07:00:00Z', value: 21.5, note: null },
    { device: '<b>roof</b>', time: null, value: 3, note: 'x' },
  ],
});
const optionsOf = (stored: unknown) => detailsOptions({ columns: table.columns, settings: commonSettings }).parse(stored);
const drawn = (stored: unknown, from = table) =>
  renderToStaticMarkup(<DetailsRenderer table={from} options={optionsOf(stored)} settings={commonSettings} context="query" name="D" />);
const cells = (html: string) => [...html.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell]) => cell?.replace(/<[^>]+>/g, ''));

describe('7: DETAILS', () => {
  test('without options the columns of the query, dates by the organisation', () => {
    expect(cells(drawn({}))).toEqual(['roof-1', '09/02/2024 07:00', '21.50', 'null']);
  });

  test('the columns of a table, but left', () => {
    const { columns } = optionsOf({ columns: [{ name: 'value', alignContent: 'right' }] });
    expect(columns.map(({ alignContent }) => alignContent)).toEqual(['left', 'left', 'right', 'left']);
  });

  test('title, order, visibility and format are those of the options', () => {
    const stored = {
      columns: [
        { name: 'value', title: 'Value', numberFormat: '0' },
        { name: 'device' },
        { name: 'time', visible: false },
        { name: 'note' },
      ],
    };
    expect(cells(drawn(stored))).toEqual(['22', 'roof-1', 'null']);
    expect(drawn(stored)).toContain('Value');
  });

  test('visualizations 4.3: a long value is not cut and keeps its lines', () => {
    const note = `${'word '.repeat(400)}\nlast`;
    const row = { device: 'd', time: null, value: 1, note };
    expect(cells(drawn({}, resultTable({ columns: [...table.columns], rows: [row] }))).at(-1)).toBe(note);
  });

  test('one row a page; a single row has no pager', () => {
    expect(drawn({})).toContain('1–1 of 2');
    expect(drawn({}, resultTable({ ...table, columns: [...table.columns], rows: table.rows.slice(0, 1) }))).not.toContain('Next page');
  });

  test('nothing to show is said', () => {
    expect(drawn({}, { ...table, rows: [] })).toContain('Query returned no rows');
    expect(drawn({}, { ...table, rows: [], isFiltered: true })).toContain('No rows match the filters.');
  });

  test('it says what it holds', () => {
    expect(details.summary(table, {}, commonSettings)).toBe('4 values of one row at a time, of 2 rows.');
  });
});
