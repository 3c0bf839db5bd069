import { describe, expect, test } from 'vitest';
import { commonSettings } from '../displaySettings.ts';
import { type ResultSource, resultTable } from '../resultTable.ts';
import { cohortShades } from './cohortColors.ts';
import { cohortModel } from './cohortModel.ts';
import { cohortOptions } from './cohortOptions.ts';
import { addIntervals, intervalsBetween } from './cohortRows.ts';
import { cohort } from './index.ts';

const data: ResultSource = {
  columns: [
    { name: 'date', type: 'date' },
    { name: 'day_number', type: 'integer' },
    { name: 'total', type: 'integer' },
    { name: 'value', type: 'integer' },
    { name: 'week', type: 'date' },
    { name: 'people', type: 'integer' },
  ],
  // The 3rd day is missing, and the 2nd has no second stage.
  rows: [
    ['2024-01-04', 0, 50, 50],
    ['2024-01-01', 0, 100, 80],
    ['2024-01-01', 1, 100, 40.9],
    ['2024-01-01', 2, 999, 20],
    ['2024-01-02', 0, 10, 5],
    ['never', 0, 10, 5],
  ].map(([date, day_number, total, value]) => ({ date, day_number, total, value, week: date, people: 200 })),
};
const table = resultTable(data);
const optionsOf = (stored: unknown) => cohortOptions({ columns: table.columns, settings: commonSettings }).parse(stored);
const made = (stored: Record<string, unknown>) => cohortModel(table, optionsOf(stored), commonSettings);
const texts = (stored: Record<string, unknown>) => made(stored)?.rows.map(({ cells }) => cells.map((cell) => cell?.text ?? null));

describe('8: rows and stages', () => {
  test('dates in order, missing ones without anybody, one stage less each', () => {
    const model = made({});
    expect(model?.rows.map(({ label, total }) => [label, total])).toEqual([
      ['January 1, 2024', '100'],
      ['January 2, 2024', '10'],
      ['January 3, 2024', '0'],
      ['January 4, 2024', '50'],
    ]);
    expect(texts({})).toEqual([
      ['80.00%', '40.00%', '20.00%', '0.00%'],
      ['50.00%', '0.00%', '0.00%', null],
      ['-', '-', null, null],
      ['100.00%', null, null, null],
    ]);
    expect(model?.stages).toEqual(['1', '2', '3', '4']);
  });

  test('as is: missing cells are empty', () => {
    expect(texts({ mode: 'simple' })).toEqual([
      ['80.00%', '40.00%', '20.00%'],
      ['50.00%', null, null],
      [null, null, null],
      ['100.00%', null, null],
    ]);
  });

  test('a thousand years of days are not drawn', () => {
    const long = resultTable({ ...data, rows: ['1024-01-01', '2024-01-01'].map((date) => ({ date, day_number: 0, total: 1, value: 1 })) });
    const model = cohortModel(long, optionsOf({}), commonSettings);
    expect(model?.rows).toHaveLength(366);
    expect(model?.left.rows).toBeGreaterThan(300_000);
    expect(model?.stages.length).toBe(32);
  });
});

describe('8: each option changes the picture', () => {
  test.each([
    [
      'timeInterval',
      'weekly',
      { rows: [{ label: 'Week of Jan 1, 2024' }, { label: 'Week of Jan 2, 2024' }, { label: 'Week of Jan 4, 2024' }] },
    ],
    ['timeInterval', 'monthly', { rows: [{ label: 'January 2024' }, {}, {}] }],
    ['stageColumnTitle', 'Day {{ @ }}', { stages: ['Day 1', 'Day 2', 'Day 3', 'Day 4'] }],
  ])('%s: %j', (key, value, expected) => {
    expect(made({})).not.toMatchObject(expected);
    expect(made({ [key]: value })).toMatchObject(expected);
  });

  test('columns', () => {
    expect(made({ totalColumn: 'people' })?.rows[0]).toMatchObject({ total: '200', cells: [{ text: '40.00%' }, {}, {}, {}] });
    expect(made({ valueColumn: 'people' })?.rows[0]?.cells[0]?.text).toBe('200.00%');
    expect(made({ stageColumn: 'people' })?.rows[0]?.cells[1]?.text).toBe('0.00%');
    expect(made({ dateColumn: 'gone' })).toBeNull();
  });

  test('numbers, percents, tooltips and the placeholder', () => {
    const cell = (stored: Record<string, unknown>) => made(stored)?.rows[0]?.cells[0];
    expect(cell({})).toEqual({ text: '80.00%', tooltip: '80', shade: 5 });
    expect(cell({ percentValues: false })).toMatchObject({ text: '80', tooltip: '' });
    expect(cell({ showTooltips: false })?.tooltip).toBe('');
    expect(cell({ percentFormat: '0%' })?.text).toBe('80%');
    expect(cell({ percentValues: false, numberFormat: '0.0' })?.text).toBe('80.0');
    expect(cell({ colors: { steps: 3 } })?.shade).toBe(2);
    expect(made({ noValuePlaceholder: 'none' })?.rows[2]?.cells[0]?.text).toBe('none');
  });

  test('titles are kept as stored', () => {
    expect(optionsOf({ timeColumnTitle: 'When', peopleColumnTitle: 'Who' })).toMatchObject({
      timeColumnTitle: 'When',
      peopleColumnTitle: 'Who',
    });
  });

  test('colours run from min to max, with text that can be read', () => {
    const shades = cohortShades({ min: '#000000', max: '#ffffff', steps: 3 }, 'light');
    expect(shades.map(({ background }) => background)).toEqual(['#000000', '#808080', '#ffffff']);
    expect(shades.map(({ color }) => color)).toEqual(['#ffffff', '#ffffff', '#333333']);
    expect(cohortShades({ min: '#ffffff', max: '#002FB4', steps: 2 }, 'dark')[0]?.background).not.toBe('#ffffff');
  });
});

test('complaint 35: other names are found by their types', () => {
  const columns = [
    { name: 'joined', type: 'date' as const },
    { name: 'age', type: 'integer' as const },
    { name: 'size', type: 'integer' as const },
    { name: 'left', type: 'float' as const },
  ];
  const options = cohort.effectiveOptions({}, { columns, settings: commonSettings });
  expect(options).toMatchObject({ dateColumn: 'joined', stageColumn: 'age', totalColumn: 'size', valueColumn: 'left' });
});

test('months are months', () => {
  const at = (text: string) => Date.parse(`${text}T00:00:00Z`);
  expect(addIntervals(at('2024-01-31'), 1, 'monthly')).toBe(at('2024-02-29'));
  expect(intervalsBetween(at('2024-01-15'), at('2024-03-14'), 'monthly')).toBe(1);
  expect(intervalsBetween(at('2023-12-01'), at('2024-02-01'), 'monthly')).toBe(2);
});

test('it says what it shows', () => {
  expect(cohort.summary(table, {}, commonSettings)).toBe('Cohort of 4 groups over 4 stages, from January 1, 2024 to January 4, 2024.');
});
