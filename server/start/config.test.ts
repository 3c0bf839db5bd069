import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';

test('design 3: a setting that nothing reads yet is told, not passed over; the start goes on', () => {
  const { notes } = readConfig({ TELLTALE_DEMO: '1', MQTT_URL: 'mqtt://broker.example', PORT: '0' });
  expect(notes).toEqual(['TELLTALE_DEMO has no effect in this version.', 'MQTT_URL has no effect in this version.']);
  expect(readConfig({ TELLTALE_DEMO: '0', CLICKHOUSE_URL: '' }).notes).toEqual([]);
});

test('every fault is named at once', () => {
  expect(() => readConfig({ PORT: 'many', TELLTALE_LOG: 'loud' })).toThrow(/These settings cannot be used: .*PORT .*TELLTALE_LOG /);
});
