import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { describe, expect, inject, test } from 'vitest';
import { runAdHoc, runSaved } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp({ env: { DATABASE_URL: inject('postgres').url, TELLTALE_MAX_QUERY_LENGTH: '400000' } });
const target = await targetDatabase();
const source = await app.make.dataSource({ options: target.options });
const ann = await app.make.user();
const client = app.as(ann);
await app.startWorker();

const many = `select ${'{{a}},'.repeat(100_000)}1`;
const long = 'x y '.repeat(62_500);
const text = (name: string, value: unknown) => ({ name, type: 'text', value });

describe('security 32: parameters do not multiply a request', () => {
  test('many placeholders are refused with a message, by a run and by a save', async () => {
    const message = 'This query has 100000 placeholders; at most 5000 are possible.';
    expect(await runAdHoc(client, { data_source_id: source.id, query: many, parameters: { a: long } })).toMatchObject({
      status: 400,
      message,
    });
    const body = { name: 'Many', query: many, data_source_id: source.id, options: { parameters: [text('a', long)] } };
    expect(await client.call(queriesApi.create, { body })).toMatchObject({ status: 400, message });
    const { id } = await app.make.query({ data_source_id: source.id, user_id: ann.id });
    expect(await client.call(queriesApi.save, { params: { id }, body })).toMatchObject({ status: 400, message });
  });

  test('a query that grows beyond the setting can be saved, and says so when it runs', async () => {
    const body = { name: 'Long', query: `select ${'{{a}},'.repeat(20)}1`, data_source_id: source.id };
    const { id } = await client.get(queriesApi.create, { body: { ...body, options: { parameters: [text('a', long)] } } });
    expect(await runSaved(client, id)).toMatchObject({
      status: 400,
      message: 'With these values the query is too long: at most 400000 characters are possible.',
    });
    expect((await runSaved(client, id, { parameters: { a: 1 } })).rows).toHaveLength(1);
  });
});
