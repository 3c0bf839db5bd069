import type { ResultColumn, ResultRow } from '@telltale/domain/results/contract.ts';
import { describe, expect, test } from 'vitest';
import { commonSettings } from '../displaySettings.ts';
import { resultTable } from '../resultTable.ts';
import { displayName, filterKindOf, filterLabel } from './columnName.ts';
import { type FilterChoices, filteredTable, filterValueText, nextChoices, resultFilters } from './resultFilters.ts';

describe('visualizations 2.2: names', () => {
  test.each([
    ['city::filter', 'filter', 'city'],
    ['city__filter', 'filter', 'city'],
    ['city::multi-filter', 'multi-filter', 'city'],
    ['city__multiFilter', 'multi-filter', 'city'],
    ['city::x', undefined, 'city::x'],
    ['city__x', undefined, 'city__x'],
    ['::name', undefined, 'name'],
    ['::a::b', undefined, '::a::b'],
    ['a::filter::b', undefined, 'a::filter::b'],
    ['a__constructor', undefined, 'a__constructor'],
    ['__proto__', undefined, '__proto__'],
    ['city', undefined, 'city'],
  ])('%s is %s, shown as %s', (name, kind, shown) => {
    expect(filterKindOf(name)).toBe(kind);
    expect(displayName(name)).toBe(shown);
  });

  test('labels have capitals', () => {
    expect(filterLabel('my city::filter')).toBe('My City');
    expect(filterLabel('élan vital__filter')).toBe('Élan Vital');
  });
});

const column = (name: string, type: ResultColumn['type'] = 'string'): ResultColumn => ({ name, type });
const tableOf = (columns: ResultColumn[], rows: ResultRow[]) => resultTable({ columns, rows });
const one = tableOf(
  [column('a::filter'), column('b')],
  [
    { 'a::filter': 'x', b: 1 },
    { 'a::filter': 'y', b: 2 },
    { 'a::filter': 'x', b: 3 },
  ],
);
const many = tableOf(
  [column('a::multi-filter'), column('b')],
  [{ 'a::multi-filter': 'x' }, { 'a::multi-filter': 'y' }, { 'a::multi-filter': 'z' }],
);
const shown = (table: typeof one, choices: FilterChoices = new Map()) => filteredTable(table, resultFilters(table, choices));
const chosen = (name: string, values: 'all' | unknown[]): FilterChoices => new Map([[name, values]]);

describe('visualizations 2.3: filters', () => {
  test('a single filter starts with the value of the first row', () => {
    expect(resultFilters(one, new Map())[0]).toMatchObject({ label: 'A', isMultiple: false, values: ['x', 'y'], current: ['x'] });
    expect(shown(one).rows.map((row) => row.b)).toEqual([1, 3]);
    expect(shown(one, chosen('a::filter', ['y'])).rows.map((row) => row.b)).toEqual([2]);
  });

  test('a multiple filter starts with all values; cleared it matches nothing', () => {
    expect(resultFilters(many, new Map())[0]?.current).toEqual(['x', 'y', 'z']);
    expect(shown(many)).toBe(many);
    expect(shown(many, chosen('a::multi-filter', [])).rows).toEqual([]);
    expect(shown(many, chosen('a::multi-filter', ['x', 'z'])).rows).toHaveLength(2);
    expect(shown(many, chosen('a::multi-filter', 'all')).isFiltered).toBe(false);
  });

  test('every filter must match', () => {
    const table = tableOf(
      [column('a::filter'), column('b::filter')],
      [
        { 'a::filter': 1, 'b::filter': true },
        { 'a::filter': 1, 'b::filter': false },
        { 'a::filter': 2, 'b::filter': true },
      ],
    );
    expect(shown(table).rows).toHaveLength(1);
  });

  test('equal by text: what an address carries finds numbers and booleans', () => {
    const table = tableOf([column('n::filter', 'integer')], [{ 'n::filter': 1 }, { 'n::filter': 2 }]);
    expect(shown(table, chosen('n::filter', ['2'])).rows).toEqual([{ 'n::filter': 2 }]);
    const mixed = tableOf(
      [column('n::multi-filter', null)],
      [{ 'n::multi-filter': 1 }, { 'n::multi-filter': '1' }, { 'n::multi-filter': true }],
    );
    expect(resultFilters(mixed, new Map())[0]?.values).toEqual([1, true]);
    expect(shown(mixed, chosen('n::multi-filter', [1])).rows).toHaveLength(2);
    expect(shown(mixed, chosen('n::multi-filter', ['true'])).rows).toHaveLength(1);
  });

  test('moments are equal by their second', () => {
    const at = 't::filter';
    const table = tableOf(
      [column(at, 'datetime')],
      [{ [at]: '2024-01-01T00:00:00Z' }, { [at]: '2024-01-01T02:00:00+02:00' }, { [at]: '2024-01-02T00:00:00Z' }],
    );
    expect(resultFilters(table, new Map())[0]?.values).toHaveLength(2);
    expect(shown(table).rows).toHaveLength(2);
  });

  test('nothing is a value, and is not the text null', () => {
    const at = 'a::filter';
    const table = tableOf([column(at)], [{ [at]: null }, {}, { [at]: 'null' }]);
    expect(resultFilters(table, new Map())[0]?.values).toEqual([null, 'null']);
    expect(shown(table).rows).toHaveLength(2);
    expect(filterValueText(null, null, commonSettings)).toBe('null');
  });

  test('a choice that vanished at a refresh falls back; all stays all', () => {
    expect(resultFilters(one, chosen('a::filter', ['gone']))[0]?.current).toEqual(['x']);
    const refreshed = tableOf([column('a::multi-filter')], [{ 'a::multi-filter': 'new' }]);
    expect(resultFilters(refreshed, chosen('a::multi-filter', 'all'))[0]?.current).toEqual(['new']);
  });

  test.each([
    [one, 'a::filter'],
    [many, 'a::multi-filter'],
  ])('what the dashboard chose and the result lacks matches nothing', (table, name) => {
    const imposed = chosen(name, ['elsewhere']);
    const filters = resultFilters(table, imposed, imposed);
    expect(filters[0]?.current).toEqual([]);
    expect(filteredTable(table, filters).rows).toEqual([]);
    const own = new Map([...imposed, [name, ['y']]] as const);
    expect(resultFilters(table, own, imposed)[0]?.current).toEqual(['y']);
  });

  test('no rows, no values', () => {
    const empty = tableOf([column('a::filter')], []);
    expect(resultFilters(empty, new Map())[0]).toMatchObject({ values: [], current: [] });
    expect(shown(empty)).toBe(empty);
  });

  test('nested values are compared by their text', () => {
    const at = 'a::filter';
    const table = tableOf([column(at)], [{ [at]: { x: 1 } }, { [at]: { x: 1 } }, { [at]: { x: 2 } }]);
    expect(shown(table).rows).toHaveLength(2);
  });

  test('values are shown as the organisation writes them', () => {
    expect(filterValueText('2024-01-02T03:04:05Z', 'datetime', commonSettings)).toBe('02/01/2024 03:04');
    expect(filterValueText('2024-01-02', 'date', commonSettings)).toBe('02/01/2024');
    expect(filterValueText(true, 'boolean', commonSettings)).toBe('true');
  });
});

describe('visualizations 2.3: choices through refreshes', () => {
  const none: FilterChoices = new Map();
  const mine = chosen('a', ['mine']);
  const first = { data: 1, imposed: none, choices: mine };

  test('a query page keeps them, a widget starts anew', () => {
    expect(nextChoices(first, 2, none, true)).toBe(mine);
    expect(nextChoices(first, 2, none, false)).toEqual(none);
    expect(nextChoices(first, 1, none, false)).toBe(mine);
  });

  test('a dashboard pushes its values; a later choice of the widget stays until the next refresh', () => {
    const imposed = chosen('a', ['theirs']);
    expect(nextChoices(first, 1, imposed, false)).toEqual(imposed);
    expect(nextChoices({ data: 1, imposed, choices: mine }, 1, imposed, false)).toBe(mine);
    expect(nextChoices({ data: 1, imposed, choices: mine }, 2, imposed, false)).toEqual(imposed);
  });

  test('visualizations 20.4: a filter that the dashboard did not change stays as the widget has it', () => {
    const before: FilterChoices = new Map([
      ['a', ['theirs']],
      ['b', ['theirs']],
    ]);
    const choices: FilterChoices = new Map([...before, ['a', ['mine']]]);
    const next = (imposed: FilterChoices) => nextChoices({ data: 1, imposed: before, choices }, 1, imposed, false);
    expect([...next(new Map([...chosen('a', ['theirs']), ...chosen('b', ['new'])]))]).toEqual([
      ['a', ['mine']],
      ['b', ['new']],
    ]);
    expect(next(chosen('a', ['new']))).toEqual(chosen('a', ['new']));
    // The same choice, made again: what it does not find stays away.
    const same = chosen('b', ['theirs']);
    expect(next(same).get('b')).toBe(same.get('b'));
  });
});
