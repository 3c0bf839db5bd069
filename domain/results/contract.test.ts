import { expect, test } from 'vitest';
import { QueryResult, SharedQueryResult } from './contract.ts';

const result = {
  id: 7,
  query: 'select 1 as a',
  query_hash: 'c0ffee',
  data: { columns: [{ name: 'a', friendly_name: 'a', type: 'integer' }], rows: [{ a: 1 }], metadata: { data_scanned: 12, engine: 'x' } },
  data_source_id: 3,
  runtime: 0.02,
  retrieved_at: '2026-01-01T10:00:00.123Z',
};

test('server-behaviour 11.1: a result carries its text, its source and its data', () => {
  expect(QueryResult.parse(result)).toEqual(result);
});

test('design 8: a reader by key or token gets neither the text nor what stands for it', () => {
  expect(Object.keys(SharedQueryResult.parse(result)).sort()).toEqual(['data', 'id', 'retrieved_at', 'runtime']);
});
