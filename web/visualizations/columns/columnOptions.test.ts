import type { ColumnType, ResultColumn } from '@telltale/domain/results/contract.ts';
import { describe, expect, test } from 'vitest';
import { commonSettings } from '../displaySettings.ts';
import { reconcileColumns, SavedColumns } from './columnOptions.ts';

const column = (name: string, type: ColumnType = 'string'): ResultColumn => ({ name, type });
const effective = (columns: ResultColumn[], saved: unknown = []) => reconcileColumns(columns, SavedColumns.parse(saved), commonSettings);
const names = (columns: ResultColumn[], saved: unknown = []) => effective(columns, saved).map(({ name }) => name);
const abc = ['a', 'b', 'c'].map((name) => column(name));

describe('visualizations 4.1: defaults', () => {
  test.each<[ColumnType, object]>([
    ['integer', { displayAs: 'number', alignContent: 'right', numberFormat: '0,0', dateTimeFormat: undefined }],
    ['float', { displayAs: 'number', alignContent: 'right', numberFormat: '0,0.00' }],
    ['boolean', { displayAs: 'boolean', alignContent: 'right', booleanValues: ['false', 'true'] }],
    ['date', { displayAs: 'datetime', alignContent: 'right', dateTimeFormat: 'DD/MM/YYYY' }],
    ['datetime', { displayAs: 'datetime', alignContent: 'right', dateTimeFormat: 'DD/MM/YYYY HH:mm' }],
    ['string', { displayAs: 'string', alignContent: 'left', numberFormat: undefined }],
    [null, { displayAs: 'string', alignContent: 'left' }],
  ])('a column of type %s', (type, options) => {
    expect(effective([column('a', type)])[0]).toMatchObject({
      ...{ name: 'a', type, visible: true, order: 100_000, title: 'a', allowSearch: false, allowHTML: false, highlightLinks: false },
      ...{ description: '', linkUrlTemplate: '{{ @ }}', linkOpenInNewTab: true, imageWidth: '' },
      ...options,
    });
  });

  test('the title has no filter suffix', () => {
    expect(effective([column('city::filter')])[0]).toMatchObject({ name: 'city::filter', title: 'city' });
  });
});

describe('visualizations 4.2: reconciliation', () => {
  test('nothing moved: a new column keeps its place in the query', () => {
    expect(
      names(
        ['a', 'new', 'b', 'c'].map((name) => column(name)),
        [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
      ),
    ).toEqual(['a', 'new', 'b', 'c']);
  });

  test('moved: saved places count and a new column goes last', () => {
    expect(
      names(
        ['a', 'new', 'b', 'c'].map((name) => column(name)),
        [{ name: 'c' }, { name: 'a' }, { name: 'b' }],
      ),
    ).toEqual(['c', 'a', 'b', 'new']);
  });

  test('saved order numbers count for nothing by themselves', () => {
    expect(
      names(abc, [
        { name: 'a', order: 3 },
        { name: 'b', order: 2 },
        { name: 'c', order: 1 },
      ]),
    ).toEqual(['a', 'b', 'c']);
  });

  test('a column that left the query vanishes', () => {
    expect(names(abc.slice(1), [{ name: 'c' }, { name: 'a' }, { name: 'b' }])).toEqual(['c', 'b']);
    expect(names(abc.slice(1), [{ name: 'a' }, { name: 'b' }, { name: 'c' }])).toEqual(['b', 'c']);
  });

  test('saved settings win, unknown ones stay', () => {
    const [first] = effective(abc, [{ name: 'a', title: 'Alpha', visible: false, displayAs: 'link', mystery: { x: 1 } }]);
    expect(first).toMatchObject({ title: 'Alpha', visible: false, displayAs: 'link', mystery: { x: 1 } });
  });

  test('what cannot be read counts as not saved', () => {
    const [first] = effective(abc, [
      null,
      7,
      { title: 'nameless' },
      { name: 'a', title: 9, displayAs: 'video', visible: 'no', imageWidth: 40 },
    ]);
    expect(first).toMatchObject({ title: 'a', displayAs: 'string', visible: true, imageWidth: '40' });
    expect(names(abc, 'rubbish')).toEqual(['a', 'b', 'c']);
  });

  test('names that objects have of themselves', () => {
    expect(names([column('__proto__'), column('constructor')], [{ name: 'constructor' }, { name: '__proto__', title: 'p' }])).toEqual([
      'constructor',
      '__proto__',
    ]);
  });

  test('visualizations 20.1: saved again without a change, only defaults are added', () => {
    const stored = [
      {
        name: 'b',
        type: 'string',
        displayAs: 'string',
        visible: true,
        order: 0,
        title: 'B',
        alignContent: 'center',
        allowSearch: true,
        allowHTML: true,
      },
      { name: 'a', type: 'integer', displayAs: 'number', visible: true, order: 1, numberFormat: '0.0a', title: 'a' },
    ];
    const saved = effective([column('a', 'integer'), column('b')], stored);
    for (const [at, before] of stored.entries()) expect(saved[at]).toMatchObject(before);
  });
});
