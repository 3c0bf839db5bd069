import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';

test('CLICKHOUSE_URL names a database or none, and the demo says what it cannot do with it', () => {
  const { notes } = readConfig({ CLICKHOUSE_URL: 'http://clickhouse.example/telltale', TELLTALE_DEMO: '1', PORT: '0' });
  expect(notes).toEqual(['The sample queries of the demo are written for PostgreSQL and fail with CLICKHOUSE_URL.']);
  expect(readConfig({ CLICKHOUSE_URL: '', TELLTALE_DEMO: '1' }).notes).toEqual([]);
  expect(() => readConfig({ CLICKHOUSE_URL: 'http://clickhouse.example/a/b' })).toThrow(
    'CLICKHOUSE_URL must end with the name of a database',
  );
});

test('every fault is named at once', () => {
  expect(() => readConfig({ PORT: 'many', TELLTALE_LOG: 'loud' })).toThrow(/These settings cannot be used: .*PORT .*TELLTALE_LOG /);
});

test('TELLTALE_DEMO: a demo has a data folder of its own unless one is named', () => {
  expect(readConfig({}).dataFolder).toMatch(/[/\\]data$/);
  expect(readConfig({ TELLTALE_DEMO: '1' }).dataFolder).toMatch(/[/\\]demo-data$/);
  expect(readConfig({ TELLTALE_DEMO: '1', TELLTALE_DATA: '/tmp/mine' }).dataFolder).toMatch(/mine$/);
});

test('TELLTALE_AUDIT_DAYS sets the days of the audit log in place of the setting, and nonsense is named', () => {
  expect(readConfig({}).fixedSettings).toEqual({});
  expect(readConfig({ TELLTALE_AUDIT_DAYS: '30' }).fixedSettings).toEqual({ audit_days: 30 });
  for (const days of ['0', '1.5', 'soon', '40000'])
    expect(() => readConfig({ TELLTALE_AUDIT_DAYS: days })).toThrow(/TELLTALE_AUDIT_DAYS cannot be used/);
});

test('RESULTS_URL names a key, its secret and a bucket', () => {
  const given = 'https://key:secret@minio.example:9000/bucket/folder?region=eu-central-1';
  expect(readConfig({ RESULTS_URL: given }).results).toMatchObject({ url: given, inlineBytes: 1024 ** 2 });
  expect(readConfig({}).results.url).toBeUndefined();
  for (const address of ['nonsense', 's3://bucket', 'https://minio.example/bucket', 'https://key:secret@minio.example/'])
    expect(() => readConfig({ RESULTS_URL: address })).toThrow(/RESULTS_URL must/);
});
