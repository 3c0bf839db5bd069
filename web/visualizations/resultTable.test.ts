import type { ColumnType, ResultRow } from '@telltale/domain/results/contract.ts';
import { describe, expect, test } from 'vitest';
import { cellReader, plainText } from './cellValue.ts';
import { resultTable } from './resultTable.ts';

const typeOf = (values: unknown[], type: ColumnType = null, name = 'a') =>
  resultTable({ columns: [{ name, type }], rows: values.map((value) => ({ [name]: value })) }).columns[0]?.type;

describe('visualizations 2.1: column types', () => {
  test.each([
    [[1, 2.5], 'float'],
    [['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.5+02:00'], 'datetime'],
    [['2024-01-01'], 'date'],
    [['2024-01-01', '2024-01-01T00:00:00Z'], 'string'],
    [['2021-01-27T00:00:01.7+03:00 stderr F {'], 'string'],
    [[1, 'a'], 'string'],
    [[true], 'string'],
    [[{ a: 1 }, [1]], null],
    [[1, null, undefined, 2], 'float'],
    [[], null],
  ])('%j is %s', (values, type) => {
    expect(typeOf(values)).toBe(type);
    expect(typeOf(values, 'string')).toBe(type ?? 'string');
  });

  test('a type the server gave wins', () => {
    expect(typeOf(['a'], 'integer')).toBe('integer');
    expect(typeOf(['2024-01-01'], 'boolean')).toBe('boolean');
  });

  test('the same data is the same table', () => {
    const data = { columns: [], rows: [] };
    expect(resultTable(data)).toBe(resultTable(data));
  });
});

test('columns may be called like what every object has', () => {
  const parsed: ResultRow = JSON.parse('{"__proto__": 1, "constructor": 2, "a.b": 3}');
  expect(cellReader('__proto__')(parsed)).toBe(1);
  expect(cellReader('constructor')(parsed)).toBe(2);
  expect(cellReader('a.b')(parsed)).toBe(3);
  expect(cellReader('__proto__')({})).toBeUndefined();
  expect(cellReader('toString')({})).toBeUndefined();
});

test('visualizations 2.1: nested values are their JSON text', () => {
  expect(plainText({ a: [1] })).toBe('{"a":[1]}');
  expect(plainText(null)).toBe('');
  expect(plainText(false)).toBe('false');
});
