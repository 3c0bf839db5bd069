import { expect, test } from 'vitest';
import { DataSourceFields, dataSourcesApi, groupSourcesApi } from './contract.ts';

test('server-behaviour 18.2: name, type and options are needed, whatever else comes is dropped', () => {
  const given = { name: ' Sales ', type: 'pg', options: { host: 'x' }, id: 9, org_id: 2, groups: {} };
  expect(DataSourceFields.parse(given)).toEqual({ name: 'Sales', type: 'pg', options: { host: 'x' } });
  for (const part of ['name', 'type', 'options']) expect(DataSourceFields.safeParse({ ...given, [part]: undefined }).success).toBe(false);
});

test('security 20: only administrators change sources and who may use them', () => {
  const open = [
    dataSourcesApi.list,
    dataSourcesApi.get,
    dataSourcesApi.schema,
    dataSourcesApi.databases,
    dataSourcesApi.tables,
    dataSourcesApi.columns,
  ];
  const all = [...Object.values(dataSourcesApi), ...Object.values(groupSourcesApi)];
  const others = all.filter((endpoint) => !open.some((one) => one.path === endpoint.path && one.method === endpoint.method));
  for (const endpoint of others) expect(endpoint.needs, `${endpoint.method} ${endpoint.path}`).toBe('admin');
  for (const endpoint of all) expect(endpoint.readers, endpoint.path).toBeUndefined();
});

test('server-behaviour 18.3: a secret is never asked for in an address', () => {
  for (const { method, query, path } of Object.values(dataSourcesApi)) {
    const keys = query && 'shape' in query ? Object.keys(query.shape as object) : [];
    expect(keys, `${method} ${path}`).not.toContain('password');
    expect(keys, `${method} ${path}`).not.toContain('options');
  }
});
