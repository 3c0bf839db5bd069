import type { ColumnType, ResultRow } from '@telltale/domain/results/contract.ts';
import { describe, expect, test } from 'vitest';
import { commonSettings } from '../displaySettings.ts';
import { type ColumnOptions, reconcileColumns } from './columnOptions.ts';
import { columnView, imageOf, isNothing, linkOf } from './columnView.ts';

const optionsOf = (type: ColumnType, changes: Partial<ColumnOptions> = {}): ColumnOptions => ({
  ...(reconcileColumns([{ name: 'a', type }], [], commonSettings)[0] as ColumnOptions),
  ...changes,
});
const text = (value: unknown, type: ColumnType, changes: Partial<ColumnOptions> = {}) =>
  columnView(optionsOf(type, changes), commonSettings).text({ a: value });

describe('visualizations 4.7: what a cell says', () => {
  test.each<[unknown, ColumnType, Partial<ColumnOptions>, string]>([
    [1234.5, 'float', {}, '1,234.50'],
    ['12345678901234567890', 'integer', {}, '12,345,678,901,234,567,890'],
    ['broken', 'float', {}, 'broken'],
    ['2024-02-09T07:05:03Z', 'datetime', {}, '09/02/2024 07:05'],
    ['not a date', 'datetime', {}, 'not a date'],
    [true, 'boolean', { booleanValues: ['no', 'yes'] }, 'yes'],
    [0, 'boolean', {}, 'false'],
    ['x', 'boolean', {}, 'true'],
    [undefined, 'boolean', {}, ''],
    [null, 'float', {}, ''],
    [null, 'string', {}, ''],
    [{ x: 1 }, 'string', {}, '{"x":1}'],
    [{ x: 1 }, 'float', {}, '{"x":1}'],
    ['<b>x</b>', 'string', {}, '<b>x</b>'],
    ['<b>x</b>', 'string', { allowHTML: true }, 'x'],
    ['7', 'string', { displayAs: 'link', linkUrlTemplate: '/d/{{ @ }}', linkTextTemplate: 'Device {{ @ }}' }, 'Device 7'],
    ['7', 'string', { displayAs: 'link', linkUrlTemplate: '/d/{{ @ }}', linkTextTemplate: '' }, '/d/7'],
    ['7', 'string', { displayAs: 'image', imageTitleTemplate: 'Picture of {{ @ }}' }, 'Picture of 7'],
    ['{"a":1}', 'string', { displayAs: 'json' }, '{"a":1}'],
  ])('%j of type %s with %j is %s', (value, type, changes, expected) => {
    expect(text(value, type, changes)).toBe(expected);
  });
});

test('links go only where they may', () => {
  const link = (value: unknown, changes: Partial<ColumnOptions> = {}, row: ResultRow = { a: value }) =>
    linkOf(optionsOf('string', changes), value, row);
  expect(link('https://a.example')).toEqual({
    href: 'https://a.example',
    text: 'https://a.example',
    title: 'https://a.example',
    isNewTab: true,
  });
  expect(link('javascript:alert(1)')).toMatchObject({ href: undefined, text: 'javascript:alert(1)' });
  expect(link('x', { linkUrlTemplate: '{{ proto }}:alert(1)' }, { a: 'x', proto: 'javascript' }).href).toBeUndefined();
  expect(link('', { linkUrlTemplate: '' })).toMatchObject({ href: undefined, text: '' });
});

test('the size of a picture is a positive whole number of pixels', () => {
  const image = (changes: Partial<ColumnOptions>) => imageOf(optionsOf('string', changes), '/x.png', { a: '/x.png', w: 40 });
  expect(image({ imageWidth: '{{ w }}', imageHeight: '24px' })).toEqual({ src: '/x.png', title: '/x.png', width: 40, height: 24 });
  expect(image({ imageWidth: '-1', imageHeight: 'auto' })).toMatchObject({ width: undefined, height: undefined });
  expect(image({ imageWidth: '99999999' }).width).toBe(4000);
});

test('nothing is shown as nothing, unless a template does not need the column', () => {
  expect(isNothing(optionsOf('string'), null)).toBe(true);
  expect(isNothing(optionsOf('string'), '')).toBe(false);
  expect(isNothing(optionsOf('string', { displayAs: 'link' }), null)).toBe(true);
  expect(isNothing(optionsOf('string', { displayAs: 'link', linkUrlTemplate: '/d/{{ id }}' }), null)).toBe(false);
});
