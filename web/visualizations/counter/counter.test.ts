import { describe, expect, test } from 'vitest';
import { commonSettings, separatorsOf } from '../displaySettings.ts';
import { type ResultSource, resultTable } from '../resultTable.ts';
import { rowIndexOf } from '../rowNumber.ts';
import { counterModel } from './counterModel.ts';
import { counterOptions } from './counterOptions.ts';
import { counter } from './index.ts';

const data: ResultSource = {
  columns: [
    { name: 'room', type: 'string' },
    { name: 'online', type: 'integer' },
    { name: 'expected', type: 'float' },
  ],
  rows: [
    { room: 'roof', online: 1234.567, expected: 1300 },
    { room: 'hall', online: 80, expected: 75.5 },
    { room: 'yard', online: '12345678901234567890.5', expected: null },
  ],
};
const table = resultTable(data);
const made = (stored: Record<string, unknown>, from = table) =>
  counterModel(
    from,
    counterOptions({ columns: from.columns, settings: commonSettings }).parse(stored),
    'Devices',
    separatorsOf(commonSettings),
  );

describe('6: which row', () => {
  test.each([
    [1, 0],
    [3, 2],
    [4, 0],
    [-1, 2],
    [-3, 0],
    [-4, 2],
    [0, 0],
  ])('row %i of three is at %i', (rowNumber, index) => expect(rowIndexOf(rowNumber, 3)).toBe(index));

  test('of none there is none', () => expect(rowIndexOf(5, 0)).toBe(0));
});

describe('6: each option changes the picture', () => {
  const base = { counterColName: 'online', targetColName: 'expected' };
  test.each([
    ['counterLabel', 'Up', { label: 'Up' }],
    ['counterColName', 'expected', { value: '1,300' }],
    ['rowNumber', 2, { value: '80' }],
    ['targetColName', '', { target: null, trend: null }],
    ['targetRowNumber', 2, { target: '75.50', trend: 'reached' }],
    ['countRow', true, { value: '3' }],
    ['stringDecimal', 2, { value: '1,234.57' }],
    ['stringThouSep', ' ', { value: '1 235' }],
    ['stringPrefix', '$', { value: '$1,235' }],
    ['stringSuffix', ' pcs', { value: '1,235 pcs' }],
    ['formatTargetValue', true, { target: '1,300' }],
    ['tooltipFormat', '0', { exactValue: '1235' }],
  ])('%s', (key, value, expected) => {
    expect(made(base)).toMatchObject({ label: 'Devices', value: '1,235', target: '1300', trend: 'missed', exactValue: '1,234.567' });
    expect(made({ ...base, [key]: value })).toMatchObject(expected);
  });

  test('stringDecChar', () => {
    expect(made({ ...base, stringDecimal: 1, stringDecChar: ',' }).value).toBe('1,234,6');
    expect(made({ ...base, stringDecimal: 1, stringDecChar: '' }).value).toBe('1,234.6');
  });

  test('without decimals and separators there are three decimals', () => {
    expect(made({ ...base, stringDecimal: null, stringDecChar: '', stringThouSep: '' }).value).toBe('1,234.567');
    expect(made({ ...base, stringDecimal: null, stringThouSep: '' }).value).toBe('1235');
  });
});

describe('6: values', () => {
  test('text has neither prefix nor suffix', () => {
    expect(made({ counterColName: 'room', stringPrefix: '$', stringSuffix: '!' })).toMatchObject({ value: 'roof', isNumber: false });
  });

  test('a number that only text can hold keeps its digits', () => {
    expect(made({ counterColName: 'online', rowNumber: 3, stringDecimal: 1 }).value).toBe('12,345,678,901,234,567,890.5');
  });

  test('a column that is gone is named', () => expect(made({ counterColName: 'gone' }).missing).toBe('gone'));

  test('zero rows count as nothing, and can be counted', () => {
    const none = resultTable({ ...data, rows: [] });
    expect(made({ counterColName: 'online' }, none).value).toBe('');
    expect(made({ countRow: true }, none).value).toBe('0');
  });
});

describe('complaint 35: a new one is not empty', () => {
  const optionsOf = (columns: ResultSource['columns'], stored = {}) =>
    counter.effectiveOptions(stored, { columns, settings: commonSettings });

  test('the column counter, else the first numbers, else the first column', () => {
    expect(optionsOf(data.columns)).toMatchObject({ counterColName: 'online' });
    expect(optionsOf([...data.columns, { name: 'counter', type: 'integer' }])).toMatchObject({ counterColName: 'counter' });
    expect(optionsOf([{ name: 'a', type: 'string' }])).toMatchObject({ counterColName: 'a' });
    expect(optionsOf([])).toMatchObject({ counterColName: 'counter' });
  });
});

test('visualizations 6: a target whose column is gone is no target', () => {
  expect(made({ counterColName: 'online', targetColName: 'gone' })).toMatchObject({
    value: '1,235',
    target: null,
    trend: null,
    missing: null,
  });
  expect(made({ counterColName: 'gone', targetColName: 'expected' })).toMatchObject({ missing: 'gone' });
});

test('visualizations 2.10: target and tooltips have the separators of the organisation', () => {
  const options = counterOptions({ columns: table.columns, settings: commonSettings }).parse({
    counterColName: 'online',
    targetColName: 'expected',
    targetRowNumber: 2,
  });
  const model = counterModel(table, options, '', { thousands: '.', decimal: ',' });
  expect(model).toMatchObject({ value: '1,235', exactValue: '1.234,567', target: '75,50', exactTarget: '75,500' });
});

test('it says what it shows', () => {
  expect(counter.summary(table, { counterColName: 'online', targetColName: 'expected' }, commonSettings)).toBe(
    'Counter: 1,235, target 1300 not reached.',
  );
});

test('unit, decimals and state of an attribute stand in where nobody has chosen others', () => {
  const display = { unit: '°C', decimals: 1, thresholds: [{ value: 1000, side: 'above', state: 'danger', show: 'band' } as const] };
  const shown = (stored: Record<string, unknown>) =>
    counterModel(
      table,
      counterOptions({ columns: table.columns, settings: commonSettings }).parse(stored),
      'Devices',
      separatorsOf(commonSettings),
      display,
    );
  expect(shown({ counterColName: 'online' })).toMatchObject({ value: '1,234.6 °C', state: 'danger' });
  expect(shown({ counterColName: 'online', rowNumber: 2 })).toMatchObject({ value: '80.0 °C', state: null });
  expect(shown({ counterColName: 'online', stringDecimal: 2, stringSuffix: ' pcs' }).value).toBe('1,234.57 pcs');
  expect(shown({ countRow: true })).toMatchObject({ value: '3', state: null });
});
