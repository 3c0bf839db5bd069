import { describe, expect, test } from 'vitest';
import { commonSettings } from '../displaySettings.ts';
import { resultTable } from '../resultTable.ts';
import { batteryModel } from './batteryModel.ts';
import { batteryOptions } from './batteryOptions.ts';
import { battery } from './index.ts';

const table = resultTable({
  columns: [
    { name: 'device', type: 'string' },
    { name: 'level', type: 'float' },
    { name: 'volts', type: 'float' },
  ],
  rows: [
    { device: 'a', level: 81.25, volts: 4.1 },
    { device: 'b', level: 12, volts: 3.1 },
    { device: 'c', level: null, volts: 'broken' },
  ],
});
const optionsOf = (stored: unknown) => batteryOptions({ columns: table.columns, settings: commonSettings }).parse(stored);
const made = (stored: unknown) => batteryModel(table, optionsOf(stored), commonSettings);

describe('17: each option changes the picture', () => {
  test.each([
    ['range', [0, 200], { fill: 0.40625, level: 'medium' }],
    ['valueColumn', 'volts', { text: '4.1%', level: 'low' }],
    ['rowNumber', 2, { text: '12%', fill: 0.12, level: 'low', color: '#E92828' }],
    ['numberFormat', '0', { text: '81%' }],
    ['suffix', ' of 100', { text: '81.3 of 100' }],
    ['lowThreshold', 90, { level: 'low' }],
    ['mediumThreshold', 90, { level: 'medium', color: '#FB8D3D' }],
    ['colors', { high: '#000000' }, { color: '#000000' }],
  ])('%s', (key, value, expected) => {
    expect(made({})).toMatchObject({ text: '81.3%', fill: 0.8125, level: 'high', color: '#3BD973' });
    expect(made({ [key]: value })).toMatchObject(expected);
  });

  test('label', () => {
    expect(battery.summary(table, { label: 'Roof' }, commonSettings)).toBe('Battery Roof: 81.3%, 81 percent of its range, high.');
  });
});

describe('17: ranges', () => {
  test('may run down', () => expect(made({ range: [100, 0] }).fill).toBe(0.1875));

  test.each([
    [{ min: 3, max: 4.2 }, [3, 4.2]],
    [{ start: '1', end: '2' }, [1, 2]],
    [
      ['3.0', '4.2'],
      [3, 4.2],
    ],
    [[1], [0, 100]],
    ['1-2', [0, 100]],
    [
      [Number.NaN, 1],
      [0, 100],
    ],
  ])('%j is read as %j', (stored, range) => expect(optionsOf({ range: stored }).range).toEqual(range));

  test('Q5: equal ends are flagged, and draw an empty outline', () => {
    const options = battery.effectiveOptions({ range: [5, 5] }, { columns: table.columns, settings: commonSettings });
    expect(battery.faultOf(options)).toBe('Range start and end must differ');
    expect(battery.faultOf({ ...options, range: [5, 6] })).toBeNull();
    expect(made({ range: [5, 5] })).toMatchObject({ text: '81.3%', fill: null, level: null });
  });

  test('values outside are empty or full', () => {
    expect(made({ range: [90, 100] }).fill).toBe(0);
    expect(made({ range: [0, 10] }).fill).toBe(1);
  });
});

test('17: a value that is no number is the null marker', () => {
  expect(made({ valueColumn: 'volts', rowNumber: 3 })).toMatchObject({ text: null, fill: null, tooltip: 'broken (0 – 100)' });
  expect(made({ rowNumber: 3 })).toMatchObject({ text: null, tooltip: 'null (0 – 100)' });
  expect(made({ valueColumn: 'gone' }).missing).toBe('gone');
});

test('channelid and device_ids stay', () => {
  expect(optionsOf({ channelid: 'c', device_ids: ['d'] })).toMatchObject({ channelid: 'c', device_ids: ['d'], valueColumn: 'level' });
});
