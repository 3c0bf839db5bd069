import { expect, test } from 'vitest';
import { readDeviceCsv } from './device-csv.ts';

const roof = { device_id: 'roof-1', device_name: 'Roof' };
const cellar = { device_id: 'cellar-1', device_name: 'Cellar' };

test.each([
  [
    'without a header',
    'roof-1,Roof\ncellar-1,Cellar\n',
    [
      [1, roof],
      [2, cellar],
    ],
  ],
  [
    'ids alone',
    'roof-1\ncellar-1',
    [
      [1, { device_id: 'roof-1' }],
      [2, { device_id: 'cellar-1' }],
    ],
  ],
  ['a header', 'device_id,device_name\nroof-1,Roof', [[2, roof]]],
  ['a header as people write it, in another order', 'Name;Device ID\nRoof;roof-1', [[2, roof]]],
  ['a header with names of one word', 'id,name\nroof-1,Roof', [[2, roof]]],
  ['semicolons beside commas', 'roof-1;Roof, north', [[1, { device_id: 'roof-1', device_name: 'Roof, north' }]]],
  ['tabs', 'roof-1\tRoof; north', [[1, { device_id: 'roof-1', device_name: 'Roof; north' }]]],
  ['quotes', '"roof-1","Roof, ""north"""', [[1, { device_id: 'roof-1', device_name: 'Roof, "north"' }]]],
  [
    'a name of two lines',
    'roof-1,"Roof\nnorth"\ncellar-1,Cellar',
    [
      [1, { device_id: 'roof-1', device_name: 'Roof\nnorth' }],
      [3, cellar],
    ],
  ],
  ['a BOM and CRLF', '\uFEFFdevice_id,name\r\nroof-1,Roof\r\n', [[2, roof]]],
  ['a BOM before quotes', '\uFEFF"roof-1";"Roof"', [[1, roof]]],
  [
    'blank lines and emptied cells',
    '\n\nroof-1,Roof\n,\n  \ncellar-1,Cellar,,\n',
    [
      [3, roof],
      [6, cellar],
    ],
  ],
  ['spaces around values', ' roof-1 , Roof ', [[1, roof]]],
  [
    'DevEUI and tags',
    'device_id,dev_eui,tags\nroof-1,0004A30B001C0530,roof  north\ncellar-1,,süd west| cellar |\n',
    [
      [2, { device_id: 'roof-1', dev_eui: '0004A30B001C0530', tags: ['roof', 'north'] }],
      [3, { device_id: 'cellar-1', tags: ['süd west', 'cellar'] }],
    ],
  ],
  ['a row that is too short', 'device_id,name,tags\nroof-1', [[2, { device_id: 'roof-1' }]]],
  ['a row without an id, which the server refuses', 'device_id,name\n,Roof', [[2, { device_id: '', device_name: 'Roof' }]]],
  ['a header alone', 'device_id,name\n', []],
  ['nothing', ' \n', []],
] as const)('%s: %j', (_, text, devices) => {
  expect(readDeviceCsv(text)).toEqual({ devices: devices.map(([line, device]) => ({ line, device })), faults: [], ignored: [] });
});

test.each([
  ['roof-1,Roof\ncellar-1,"Cellar\n', [[2, 'A quote is never closed.']]],
  ['name,dev_eui\nRoof,0004A30B001C0530', [[1, 'No column is named device_id.']]],
  ['device_id,name,Device Name\nroof-1,Roof,Roof', [[1, 'The column device_name is named twice.']]],
  [
    'device_id,name\nroof-1,Roof,north\ncellar-1,Cellar,x,y',
    [
      [2, 'There are 3 values for 2 columns.'],
      [3, 'There are 4 values for 2 columns.'],
    ],
  ],
  [
    'roof-1,Roof,0004A30B001C0530',
    [[1, 'There are 3 values for 2 columns. Name the columns in the first line: device_id, device_name, dev_eui, tags.']],
  ],
] as const)('%j has faults', (text, faults) => {
  expect(readDeviceCsv(text).faults).toEqual(faults.map(([line, message]) => ({ line, message })));
});

test('iot-behaviour 5.2: more than 1,000 devices are refused at the line of the first one too many', () => {
  const text = (count: number) => `device_id\n${Array.from({ length: count }, (_, n) => `node-${n}`).join('\n')}`;
  expect(readDeviceCsv(text(1000)).faults).toEqual([]);
  expect(readDeviceCsv(text(1204)).faults).toEqual([
    { line: 1002, message: 'At most 1,000 devices are imported at once; these are 1,204.' },
  ]);
});

test('columns that mean nothing here are told', () => {
  const { devices, ignored } = readDeviceCsv('device_id,join_eui,name,\nroof-1,70B3D57ED0000001,Roof,');
  expect([devices, ignored]).toEqual([[{ line: 2, device: roof }], ['join_eui']]);
});

test('a quote that is never closed in a long text is found at once', () => {
  expect(readDeviceCsv(`roof-1,"Roof\n${'cellar-1,Cellar\n'.repeat(50_000)}`).faults).toEqual([
    { line: 1, message: 'A quote is never closed.' },
  ]);
});
