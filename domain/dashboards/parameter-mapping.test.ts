import { describe, expect, test } from 'vitest';
import type { QueryParameter } from '../parameters/contract.ts';
import {
  dashboardParameters,
  firstMapping,
  joinable,
  type MappedWidget,
  type MappingType,
  mappingOf,
  mappingsOf,
  newKeywordFault,
  ParameterMappings,
  sourceOf,
  widgetParameters,
  widgetValues,
  withTitle,
} from './parameter-mapping.ts';

const number = (name: string, more: Partial<QueryParameter> = {}): QueryParameter => ({ name, type: 'number', value: 1, ...more });
const map = (name: string, type: MappingType, mapTo = name, value: unknown = null, title = '') => ({
  [name]: { name, type, mapTo, value, title },
});
const widget = (parameters: QueryParameter[], parameterMappings = {}, paramOrder?: string[]): MappedWidget => ({
  parameters,
  options: { parameterMappings, paramOrder },
});

describe('screens 9.5: where a value comes from', () => {
  test('without a mapping from the widget, with the old `global` flag from the dashboard', () => {
    expect(mappingOf(number('a'), {})).toMatchObject({ type: 'widget-level', mapTo: 'a' });
    expect(mappingOf(number('a', { global: true }), undefined)).toMatchObject({ type: 'dashboard-level', mapTo: 'a' });
  });

  test('mappings of vanished parameters are dropped, inherited names are none', () => {
    const kept = { ...map('gone', 'static-value', 'gone', 5), ...map('a', 'static-value', 'a', 7) };
    expect(mappingsOf(widget([number('a'), number('constructor')], kept)).map(({ name, type }) => [name, type])).toEqual([
      ['a', 'static-value'],
      ['constructor', 'widget-level'],
    ]);
  });

  test('one dashboard parameter for each keyword, by the first definition found', () => {
    const found = dashboardParameters([
      widget([number('from', { value: 5 })], map('from', 'dashboard-level', 'since')),
      widget([number('start', { value: 9 }), number('own')], map('start', 'dashboard-level', 'since')),
    ]);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ name: 'since', title: 'Since', definition: { name: 'since', value: 5 } });
    expect(found[0]?.widgets.map(({ parameter }) => parameter)).toEqual(['from', 'start']);
  });

  test('in the order that they were dragged to; new ones last', () => {
    const widgets = [widget(['a', 'b', 'c'].map((name) => number(name, { global: true })))];
    expect(dashboardParameters(widgets, ['c', 'gone', 'a']).map(({ name }) => name)).toEqual(['c', 'a', 'b']);
    expect(widgetParameters(widget([number('a'), number('b')], {}, ['b'])).map(({ name }) => name)).toEqual(['b', 'a']);
  });

  test('the title of the mapping wins over the title of the query, and that over the name', () => {
    const titled = widget([number('max_temp', { title: 'Warmest' })], map('max_temp', 'widget-level', 'max_temp', null, ' Limit '));
    expect(widgetParameters(titled)[0]?.title).toBe('Limit');
    expect(widgetParameters(widget([number('max_temp', { title: 'Warmest' })]))[0]?.title).toBe('Warmest');
    expect(widgetParameters(widget([number('max_temp')]))[0]?.title).toBe('Max temp');
  });

  test('values: from the dashboard by its name, from the widget by the query’s, fixed, and saved ones for the rest', () => {
    const mappings = {
      ...map('a', 'dashboard-level', 'x'),
      ...map('b', 'widget-level'),
      ...map('c', 'static-value', 'c', 30),
      ...map('d', 'dashboard-level', 'unknown'),
      ...map('e', 'static-value'),
    };
    const all = widget(
      ['a', 'b', 'c', 'd', 'e'].map((name) => number(name)),
      mappings,
    );
    const given = widgetValues(
      all,
      new Map([
        ['x', 10],
        ['c', 99],
      ]),
      new Map([
        ['b', 20],
        ['c', 99],
      ]),
    );
    expect(given).toEqual({ a: 10, b: 20, c: 30, d: 1, e: 1 });
  });

  test('a value that was emptied stays empty', () => {
    expect(widgetValues(widget([number('a')]), new Map(), new Map([['a', null]]))).toEqual({ a: null });
  });
});

describe('screens 9.5: the mapping of a new widget', () => {
  const existing = dashboardParameters([widget([number('a', { global: true })])]);
  test('joins the parameter of the same name, or brings it', () => {
    expect(firstMapping(number('a'), existing)).toMatchObject({ type: 'dashboard-level', mapTo: 'a' });
    expect(firstMapping(number('b'), existing)).toMatchObject({ type: 'dashboard-level', mapTo: 'b' });
  });

  test('one of another type cannot be joined', () => {
    expect(firstMapping({ name: 'a', type: 'date' }, existing)).toMatchObject({ type: 'widget-level' });
    expect(joinable({ name: 'z', type: 'date' }, existing)).toEqual([]);
    expect(joinable(number('z'), existing).map(({ name }) => name)).toEqual(['a']);
  });

  test('the dialog tells a new one from one that is there', () => {
    const source = (type: MappingType, mapTo: string) => sourceOf({ name: 'p', type, mapTo, value: null, title: '' }, existing);
    expect(source('dashboard-level', 'a')).toBe('dashboard-map-to-existing');
    expect(source('dashboard-level', 'b')).toBe('dashboard-add-new');
    expect(source('static-value', 'a')).toBe('static-value');
  });
});

test.each([
  ['', 'Keyword must have a value'],
  ['   ', 'Keyword must have a value'],
  ['a', 'A parameter with this name already exists'],
  [' a ', 'A parameter with this name already exists'],
  ['b', null],
])('D5: the keyword %j of a new parameter: %s', (keyword, fault) => {
  expect(newKeywordFault(keyword, [{ name: 'a' }])).toBe(fault);
});

test('a title goes to everything that is mapped to the same parameter, cut at 100 characters', () => {
  const mappings = { ...map('a', 'dashboard-level', 'x'), ...map('b', 'dashboard-level', 'y'), ...map('c', 'static-value', 'x') };
  const titled = withTitle(mappings, 'x', 'é'.repeat(120));
  expect(titled.a?.title).toHaveLength(100);
  expect([titled.b?.title, titled.c?.title]).toEqual(['', '']);
});

describe('D5: what may be kept as a mapping', () => {
  test('a title has at most 100 characters', () => {
    expect(ParameterMappings.safeParse(map('a', 'widget-level', 'a', null, 'x'.repeat(100))).success).toBe(true);
    expect(ParameterMappings.safeParse(map('a', 'widget-level', 'a', null, 'x'.repeat(101))).success).toBe(false);
  });

  test.each([[{ a: 1 }], [{ a: { name: 'a', type: 'sql' } }], [{ a: { name: '', type: 'static-value' } }], [[]], ['x']])(
    '%j is none',
    (given) => {
      expect(ParameterMappings.safeParse(given).success).toBe(false);
    },
  );
});
