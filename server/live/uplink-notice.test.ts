import { expect, test } from 'vitest';
import { readNotice } from './uplink-notice.ts';

const original = '01JH0000000000000000000000';

test.each([
  ['12 15 @1767225600123', { devices: [12, 15], cameAt: 1_767_225_600_123 }],
  [`12=${original} @1767225600123`, { repeated: [{ pk: 12, original }], cameAt: 1_767_225_600_123 }],
  ['* @1767225600123', { isAll: true, cameAt: 1_767_225_600_123 }],
  ['*', { isAll: true }],
  ['12', { devices: [12] }],
  ['', {}],
  ["12'; drop table x @x @", {}],
])('iot-behaviour 1.11: a notification of stored messages is read: %s', (payload, said) => {
  expect(readNotice(payload)).toEqual({ devices: [], repeated: [], isAll: false, cameAt: null, ...said });
});
