import { expect, test } from 'vitest';
import { offeredKinds } from './sourceKind.ts';

const configuration_schema = { type: 'object' as const, properties: {} };
const kinds = [
  { type: 'pg', name: 'PostgreSQL', configuration_schema },
  { type: 'rds_mysql', name: 'MySQL (Amazon RDS)', configuration_schema },
  { type: 'url', name: 'Url', configuration_schema, deprecated: true },
];
const found = (term: string) => offeredKinds(kinds, term).map(({ type }) => type);

test('screens 12.1: deprecated kinds are hidden, also from a search', () => {
  expect(found('')).toEqual(['pg', 'rds_mysql']);
  expect(found('url')).toEqual([]);
});

test('a kind is found by words of its name and by its type, whatever their case and order', () => {
  expect(found('POSTGRES')).toEqual(['pg']);
  expect(found('pg')).toEqual(['pg']);
  expect(found('rds mysql')).toEqual(['rds_mysql']);
  expect(found('oracle')).toEqual([]);
});
