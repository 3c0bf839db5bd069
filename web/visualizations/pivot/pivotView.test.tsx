import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { commonSettings } from '../displaySettings.ts';
import { resultTable } from '../resultTable.ts';
import { finish } from '../table/view/sliced.ts';
import { AttributeMenu } from './controls/AttributeMenu.tsx';
import { movedAttribute } from './controls/moveAttribute.ts';
import { PivotControls } from './controls/PivotControls.tsx';
import { type Attribute, encodeAttribute } from './data/attribute.ts';
import { ordered } from './data/order.ts';
import { type PivotData, pivotData } from './data/pivotData.ts';
import { pivotRequest } from './data/pivotRequest.ts';
import { chartGrid } from './draw/chartOption.ts';
import { heatOf } from './draw/heat.ts';
import { spansOf } from './draw/spans.ts';
import { tsvOf } from './draw/tsv.ts';
import { pivotOptions } from './pivotOptions.ts';
import PivotRenderer from './Renderer.tsx';

const table = resultTable({
  columns: [
    { name: 'room', type: 'string' },
    { name: 'day', type: 'string' },
    { name: 'value', type: 'float' },
  ],
  rows: [
    { room: 'roof', day: 'mon', value: 4 },
    { room: 'roof', day: 'tue', value: 8 },
    { room: 'hall\t2', day: 'mon', value: 1 },
  ],
});
const optionsOf = (stored: unknown) => pivotOptions({ columns: table.columns, settings: commonSettings }).parse(stored);
const base = { controls: { enabled: true }, rows: ['room'], cols: ['day'], aggregatorName: 'Sum', vals: ['value'] };

function dataOf(stored: Record<string, unknown>): PivotData {
  const made = finish(pivotData(pivotRequest(table, optionsOf({ ...base, ...stored }), commonSettings, new Map())));
  if ('tooMany' in made) throw new Error(made.tooMany);
  return ordered(made, 'key_a_to_z', 'key_a_to_z');
}
const drawn = (stored: Record<string, unknown>) =>
  renderToStaticMarkup(
    <PivotRenderer table={table} options={optionsOf({ ...base, ...stored })} settings={commonSettings} context="query" name="P" />,
  );
const cells = (html: string) => [...html.matchAll(/<t([hd])[^>]*>(.*?)<\/t\1>/g)].map(([, , cell = '']) => cell.replace(/<[^>]+>/g, ''));

describe('12: the table', () => {
  test('headings, cells and totals', () => {
    expect(cells(drawn({}))).toEqual(
      [
        ['day', 'mon', 'tue', 'Totals'],
        ['room', ''],
        ['hall\t2', '1.00', '', '1.00'],
        ['roof', '4.00', '8.00', '12.00'],
        ['Totals', '5.00', '8.00', '13.00'],
      ].flat(),
    );
  });

  test('rendererOptions hide the totals', () => {
    expect(cells(drawn({ rendererOptions: { table: { rowTotals: false } } })).filter((text) => text === 'Totals')).toHaveLength(1);
    expect(cells(drawn({ rendererOptions: { table: { rowTotals: false, colTotals: false } } }))).not.toContain('Totals');
  });

  test('visualizations 20.9: controls.enabled hides the controls', () => {
    expect(drawn({})).not.toContain('data-zone');
    expect(drawn({ controls: { enabled: false } })).toContain('data-zone="rows"');
  });

  test('rendererName: a heat map colours its cells', () => {
    expect(drawn({})).not.toContain('--heat');
    expect(drawn({ rendererName: 'Table Heatmap' })).toContain('--heat');
  });

  test('heat is against all, the column or the row', () => {
    const data = dataOf({});
    const at = (name: 'Table Heatmap' | 'Table Col Heatmap' | 'Table Row Heatmap') => heatOf(data, [0, 1], [0, 1], name)(1, 0);
    expect([at('Table Heatmap'), at('Table Col Heatmap'), at('Table Row Heatmap')]).toEqual([3 / 7, 1, 0]);
  });

  test('neighbours share a heading, but only under the same one', () => {
    const keys = [
      ['a', 'x'],
      ['a', 'y'],
      ['b', 'y'],
    ];
    expect(spansOf(keys, 2).map((level) => level.map(({ text, length }) => `${text}${length}`))).toEqual([
      ['a2', 'b1'],
      ['x1', 'y1', 'y1'],
    ]);
  });
});

describe('12: other ways to draw', () => {
  test('tab-separated: plain figures, no tab inside a text', () => {
    const props = { data: dataOf({}), rowAttributes: ['room'], colAttributes: ['day'], measure: 'Sum of value' };
    expect(tsvOf(props)).toBe('room\tmon\ttue\nhall 2\t1\t\nroof\t4\t8');
  });

  test('columns have a series for each row, bars for each column', () => {
    const names = (isTurned: boolean) => chartGrid(dataOf({}), isTurned, 'Sum').series.map(({ name }) => name);
    expect([names(false), names(true)]).toEqual([
      ['hall\t2', 'roof'],
      ['mon', 'tue'],
    ]);
  });

  test('a single attribute lies along the axis', () => {
    for (const isTurned of [true, false]) {
      const { series, categories } = chartGrid(dataOf({ cols: [] }), isTurned, 'Sum');
      expect([series.map(({ values }) => values), categories]).toEqual([[[1, 12]], ['hall\t2', 'roof']]);
    }
  });
});

describe('12: controls', () => {
  const controls = (stored: Record<string, unknown>) =>
    renderToStaticMarkup(
      <PivotControls
        table={table}
        settings={commonSettings}
        options={optionsOf({ ...base, ...stored })}
        known={new Map<string, Attribute>()}
        onChange={() => {}}
      />,
    );

  test('unusedOrientationCutoff stacks many names', () => {
    expect(controls({ unusedOrientationCutoff: 85 })).not.toBe(controls({ unusedOrientationCutoff: 1 }));
  });

  test('menuLimit is how many values are listed', () => {
    const column = table.columns[0] ?? { name: '', type: null };
    const known = new Map([['room', finish(encodeAttribute(table.rows, column, commonSettings))]]);
    const menu = (menuLimit: number) =>
      renderToStaticMarkup(
        <AttributeMenu
          {...{ table, known, settings: commonSettings, name: 'room', zone: 'rows', onMove: () => {}, onChange: () => {} }}
          options={optionsOf({ ...base, menuLimit })}
        />,
      );
    expect(menu(500).match(/type="checkbox"/g)).toHaveLength(2);
    expect(menu(1).match(/type="checkbox"/g)).toHaveLength(1);
    expect(menu(1)).toContain('1 more: type to find them.');
  });

  test.each([
    ['b', 'rows', 0, { rows: ['b', 'a', 'gone'], cols: ['c'] }],
    ['a', 'rows', 1, { rows: ['a', 'gone'], cols: ['c'] }],
    ['a', 'cols', 99, { rows: ['gone'], cols: ['c', 'a'] }],
    ['c', 'unused', 0, { rows: ['a', 'gone'], cols: [] }],
  ] as const)('%s goes to %s at %i', (name, zone, index, expected) => {
    expect(movedAttribute({ rows: ['a', 'gone'], cols: ['c'] }, { rows: ['a'], cols: ['c'] }, name, zone, index)).toEqual(expected);
  });
});
