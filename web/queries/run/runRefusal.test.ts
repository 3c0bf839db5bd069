import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import { expect, test } from 'vitest';
import { runRefusal } from './runRefusal.ts';

const source = { id: 1 } as DataSource;

test('a query whose source was deleted says so, and its editors get the remedy', () => {
  const deleted = { sourceId: null, source: undefined, canExecute: false };
  expect(runRefusal({ ...deleted, canEdit: true })).toBe('The data source of this query was deleted. Choose another one.');
  expect(runRefusal({ ...deleted, canEdit: false })).toBe('The data source of this query was deleted.');
});

test('Q5: without the right to see or run on the source the text says "not permitted"', () => {
  const words = 'You do not have a permission to execute/refresh this query.';
  expect(runRefusal({ sourceId: 1, source: undefined, canEdit: true, canExecute: false })).toBe(words);
  expect(runRefusal({ sourceId: 1, source, canEdit: true, canExecute: false })).toBe(words);
  expect(runRefusal({ sourceId: 1, source, canEdit: true, canExecute: true })).toBeNull();
});
