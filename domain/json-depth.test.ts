import { expect, test } from 'vitest';
import { deepestJson, isShallow } from './json-depth.ts';

const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown;

test('as deep as allowed, and not one more', () => {
  expect([isShallow(nested(deepestJson)), isShallow(nested(deepestJson + 1)), isShallow(nested(500_000))]).toEqual([true, false, false]);
});

test('objects count like lists; width is not depth', () => {
  const chain = JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`) as unknown;
  expect([isShallow(chain), isShallow(null), isShallow('x'), isShallow(Array.from({ length: 100_000 }, () => [1]))]).toEqual([
    false,
    true,
    true,
    true,
  ]);
});
