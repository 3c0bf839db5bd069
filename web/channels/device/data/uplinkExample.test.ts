import type { LastValue } from '@telltale/domain/channels/data-contract.ts';
import type { UplinkRecord } from '@telltale/domain/uplinks/live-record.ts';
import { expect, test } from 'vitest';
import { uplinkExample } from './uplinkExample.ts';

const last = (attribute: string, more: Partial<LastValue>): LastValue => ({
  attribute,
  time: '2026-01-01T00:00:10Z',
  value: null,
  value_text: null,
  kind: 'n',
  unit: null,
  ...more,
});
const record = (more: Partial<UplinkRecord>) => ({ status: 'stored', encoding: 'json', raw: '', fport: null, ...more }) as UplinkRecord;

test('a device without readings gets a temperature, one of a LoRaWAN network bytes', () => {
  expect(uplinkExample(false, [], [])).toEqual({ payload: '{\n  "temperature": 21.5\n}', encoding: 'json', fport: 1 });
  expect(uplinkExample(true, [], [])).toEqual({ payload: '00d75a', encoding: 'hex', fport: 1 });
});

test('the last values of the device, in the form in which it sent them, without those of Telltale', () => {
  const values = [
    last('door', { kind: 'b', value: 1 }),
    last('mode', { kind: 's', value_text: 'eco' }),
    last('list', { kind: 'j', value_text: '[1,2]' }),
    last('humidity', { value: 44 }),
    last('sys.online', { value: 1 }),
  ];
  expect(JSON.parse(uplinkExample(false, values, [record({})]).payload)).toEqual({ door: true, mode: 'eco', list: [1, 2], humidity: 44 });
});

test('the newest bytes that were stored, with their port', () => {
  const records = [record({ status: 'rejected' }), record({ encoding: 'raw', raw: 'ANda', fport: 7 })];
  expect(uplinkExample(false, [last('temperature', { value: 21 })], records)).toEqual({ payload: '00d75a', encoding: 'hex', fport: 7 });
});
