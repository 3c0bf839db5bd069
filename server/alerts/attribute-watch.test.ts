import type { DeviceAlertOptions } from '@telltale/domain/alerts/options.ts';
import { expect, test } from 'vitest';
import { AttributeWatch, type WatchedAlert } from './attribute-watch.ts';

const device = { pk: 7, device_id: 'seven' };
const point = (value: number) => ({ name: 'temperature', kind: 'n' as const, value, text: null, at: null, entry: 0, unit: null });
const options = {
  kind: 'device',
  channel_id: 'shed',
  device_ids: [],
  attribute: 'temperature',
  op: '>',
  value: 30,
  for_seconds: 0,
} as unknown as DeviceAlertOptions;
const hot = (): WatchedAlert => ({ id: 1, options, rearm: 0, armedAt: 500, limit: 30, isUnknown: false, devices: new Map() });

test('a reading from before a reload is still the newest, when an older stored one was checked again', () => {
  const before = new AttributeWatch('UTC');
  before.everywhere.push(hot());
  before.see(device, point(20), 3000);

  const after = new AttributeWatch('UTC', before);
  const alert = hot();
  after.everywhere.push(alert);
  after.see(device, point(21), 1000);
  // Another process has settled a reading between the two.
  alert.devices.set(device.pk, { state: 'triggered', newsAt: 2000, at: 2000 });
  expect(after.overtaken(device.pk, alert)).toEqual({ value: 20, at: 3000 });
});

test('a reading from before the condition, or older than the state, is not remembered: the next one is handed on', () => {
  const watch = new AttributeWatch('UTC');
  const alert = { ...hot(), isUnknown: true };
  watch.everywhere.push(alert);
  expect(watch.see(device, point(35), 400)).toBeUndefined();
  expect(watch.see(device, point(20), 600)).toEqual([{ alert, value: 20 }]);

  const reloaded = new AttributeWatch('UTC');
  const known = { ...hot(), devices: new Map([[device.pk, { state: 'ok' as const, newsAt: 0, at: 2000 }]]) };
  reloaded.everywhere.push(known);
  expect(reloaded.see(device, point(35), 1000)).toBeUndefined();
  expect(reloaded.see(device, point(36), 3000)).toEqual([{ alert: known, value: 36 }]);
});
