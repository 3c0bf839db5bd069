import { expect, test } from 'vitest';
import { visualizations } from '../index.ts';
import { allCases } from './cases.ts';

test('every registered kind has a case whose picture is compared', () => {
  const pictured = new Set(allCases.filter(({ isHeavy, isPictured }) => !isHeavy && isPictured !== false).map(({ type }) => type));
  expect(visualizations.map(({ type }) => type).filter((type) => !pictured.has(type))).toEqual([]);
});

test('names are unique and fit for files', () => {
  const ids = allCases.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { name } of allCases) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
});

test('data is always the same', () => {
  for (const { make, isHeavy } of allCases) if (!isHeavy) expect(serialized(make())).toBe(serialized(make()));
});

function serialized(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return 'not readable';
  }
}
