import { expect, test } from 'vitest';
import { carriesDevices, devicesInRows } from './devicesInRows.ts';

const column = (name: string) => ({ name, friendly_name: name, type: 'string' as const });

test('rows that carry a device id name each device once', () => {
  const data = {
    columns: ['time', 'channel_id', 'device_id', 'temperature'].map(column),
    rows: [
      { time: '10:00', channel_id: 'weather', device_id: 'roof-1', temperature: 20 },
      { time: '10:01', channel_id: 'weather', device_id: 'roof-1', temperature: 21 },
      { time: '10:02', channel_id: 'cellar', device_id: 'roof-1', temperature: null },
      { time: '10:03', channel_id: 'cellar', device_id: null, temperature: 3 },
    ],
  };
  expect(carriesDevices(data)).toBe(true);
  expect(devicesInRows(data)).toEqual([
    { channel_id: 'weather', device_id: 'roof-1', rows: 2, summary: 'time 10:00, temperature 20' },
    { channel_id: 'cellar', device_id: 'roof-1', rows: 1, summary: 'time 10:02, temperature –' },
  ]);
});

test('without a column channel_id the channel is still to be chosen', () => {
  const data = { columns: [column('device_id')], rows: [{ device_id: 'roof-1' }] };
  expect(devicesInRows(data)).toEqual([{ channel_id: null, device_id: 'roof-1', rows: 1, summary: '' }]);
  expect(carriesDevices({ columns: [column('device')], rows: [] })).toBe(false);
});
