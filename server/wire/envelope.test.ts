import { QueryResult, SharedQueryResult } from '@telltale/domain/results/contract.ts';
import { expect, test } from 'vitest';
import { envelope } from './envelope.ts';

const shared = { id: 7, runtime: 0.5, retrieved_at: '2026-01-01T00:00:00Z', data: { columns: [{ name: 'a', type: null }] } };
const joined = ({ prefix, suffix }: { prefix: string; suffix: string }) => JSON.parse(`${prefix}{"a":1},{"a":2}${suffix}`);

test('server-behaviour 11.2: the body is the result with its rows in place', () => {
  const full = { ...shared, query: 'select', query_hash: 'f00', data_source_id: 2, data: { ...shared.data, truncated: true } };
  const body = joined(envelope(full));
  expect(QueryResult.parse(body.query_result)).toEqual({ ...full, data: { ...full.data, rows: [{ a: 1 }, { a: 2 }] } });
});

test('design 8: a key reader gets what it is given and no more', () => {
  const body = joined(envelope(shared));
  expect(SharedQueryResult.strict().parse(body.query_result).data.rows).toHaveLength(2);
});

test('design 4: the finished job stands beside the result', () => {
  expect(joined(envelope(shared, { job: { status: 3 } }))).toMatchObject({ job: { status: 3 }, query_result: { id: 7 } });
});
