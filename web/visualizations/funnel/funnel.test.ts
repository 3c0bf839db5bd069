import { describe, expect, test } from 'vitest';
import { commonSettings } from '../displaySettings.ts';
import { type ResultSource, resultTable } from '../resultTable.ts';
import { firstInOrder } from './firstRows.ts';
import { funnelModel } from './funnelModel.ts';
import { funnelOptions } from './funnelOptions.ts';
import { funnel } from './index.ts';

const data: ResultSource = {
  columns: [
    { name: 'place', type: 'integer' },
    { name: 'stage', type: 'string' },
    { name: 'devices', type: 'integer' },
    { name: 'at', type: 'datetime' },
  ],
  rows: [
    { place: 3, stage: 'reported', devices: 500, at: '2024-02-09T07:00:00Z' },
    { place: 1, stage: 'delivered', devices: 1000, at: '2024-02-10T07:00:00Z' },
    { place: 2, stage: 'joined', devices: 800, at: '2024-02-08T07:00:00Z' },
    { place: 4, stage: 'alarmed', devices: 'none', at: null },
  ],
};
const table = resultTable(data);
const stored = { stepCol: { colName: 'stage', displayAs: 'Steps' }, valueCol: { colName: 'devices', displayAs: 'Value' } };
const optionsOf = (given: unknown) => funnelOptions({ columns: table.columns, settings: commonSettings }).parse(given);
const made = (given: Record<string, unknown>, from = table) => funnelModel(from, optionsOf({ ...stored, ...given }), commonSettings);
const column = (given: Record<string, unknown>, key: 'name' | 'value' | 'maxText' | 'previousText') =>
  made(given)?.steps.map((step) => step[key]);

describe('9: a funnel', () => {
  test('the largest first, text that is no number counts as 0', () => {
    expect(column({}, 'name')).toEqual(['delivered', 'joined', 'reported', 'alarmed']);
    expect(column({}, 'value')).toEqual(['1,000', '800', '500', '0']);
    expect(column({}, 'maxText')).toEqual(['100%', '80%', '50%', '<0.01%']);
    expect(column({}, 'previousText')).toEqual(['100%', '80%', '62.50%', '<0.01%']);
  });

  test('equal to the one before is 100 %, more than nothing is beyond the scale', () => {
    const sorted = { autoSort: false, sortKeyCol: { colName: 'place', reverse: true } };
    expect(column(sorted, 'previousText')).toEqual(['100%', '>1000%', '160%', '125%']);
    const equal = resultTable({ ...data, rows: [1, 2].map((place) => ({ place, stage: 'a', devices: 7 })) });
    expect(made({}, equal)?.steps.map(({ previousText }) => previousText)).toEqual(['100%', '100%']);
  });
});

describe('9: each option changes the picture', () => {
  test.each([
    ['stepCol', { colName: 'at' }, ['10/02/2024 07:00', '08/02/2024 07:00', '09/02/2024 07:00', '']],
    ['autoSort', false, ['reported', 'delivered', 'joined', 'alarmed']],
    ['itemsLimit', 2, ['delivered', 'joined']],
    ['itemsLimit', 1, ['delivered', 'joined']],
    ['itemsLimit', 'many', ['delivered', 'joined', 'reported', 'alarmed']],
  ])('%s: %j', (key, value, names) => expect(column({ [key]: value }, 'name')).toEqual(names));

  test('sortKeyCol', () => {
    const by = (sortKeyCol: unknown) => column({ autoSort: false, sortKeyCol }, 'name');
    expect(by({ colName: 'place', reverse: false })).toEqual(['delivered', 'joined', 'reported', 'alarmed']);
    expect(by({ colName: 'stage', reverse: true })).toEqual(['reported', 'joined', 'delivered', 'alarmed']);
  });

  test('valueCol, formats and the range of percents', () => {
    expect(column({ valueCol: { colName: 'place' } }, 'value')).toEqual(['4', '3', '2', '1']);
    expect(column({ numberFormat: '0.0a' }, 'value')).toEqual(['1.0k', '800.0', '500.0', '0.0']);
    expect(column({ percentFormat: '0.0%' }, 'maxText')).toEqual(['100.0%', '80.0%', '50.0%', '<0.0%']);
    expect(column({ percentValuesRange: { min: 60, max: 90 } }, 'maxText')).toEqual(['>90%', '80%', '<60%', '<60%']);
  });

  test('titles are kept as stored', () => {
    expect(optionsOf({ stepCol: { displayAs: 'Stage', more: 1 } }).stepCol).toEqual({ colName: 'stage', displayAs: 'Stage', more: 1 });
  });
});

describe('9: repair', () => {
  test('columns that are gone are none, and nothing is drawn', () => {
    const options = optionsOf({ stepCol: { colName: 'gone' }, valueCol: { colName: 'devices' } });
    expect(options.stepCol.colName).toBeNull();
    expect(funnelModel(table, options, commonSettings)).toBeNull();
  });

  test('with autoSort the sort column is the value column, descending', () => {
    expect(optionsOf(stored).sortKeyCol).toEqual({ colName: 'devices', reverse: true });
  });

  test('complaint 35: a new one takes the first text and the first numbers', () => {
    expect(optionsOf({})).toMatchObject({ stepCol: { colName: 'stage' }, valueCol: { colName: 'place' } });
    expect(optionsOf({ stepCol: { colName: null } }).stepCol.colName).toBeNull();
  });
});

test('a part of a million rows is found without sorting all', () => {
  const numbers = Array.from({ length: 1_000_000 }, (_, at) => (at * 7919) % 1_000_003);
  let comparisons = 0;
  const descending = (a: number, b: number) => {
    comparisons++;
    return b - a;
  };
  expect(firstInOrder(numbers, descending, 3)).toEqual(numbers.toSorted((a, b) => b - a).slice(0, 3));
  expect(comparisons).toBeLessThan(5 * numbers.length);
});

test('it says what it shows', () => {
  expect(funnel.summary(table, stored, commonSettings)).toBe(
    'Funnel of 4 steps, from delivered 1,000 to alarmed 0, <0.01% of the largest.',
  );
});
