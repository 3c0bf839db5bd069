import { expect, test } from 'vitest';
import { worseThanBounds } from '../bench/bounds.ts';
import type { Figure } from '../bench/report.ts';

const figure = (value: number): Figure => ({
  what: '200,000 rows as JSON',
  value,
  unit: 'processor s',
  reference: { what: 'COPY', value: 1 },
  goal: '–',
  isMet: true,
});

test('issue 21: a ratio that is worse than its bound by more than 30 % is named, a smaller difference is not', () => {
  expect(worseThanBounds('query', [figure(1.75 * 1.29)], 'arm64')).toEqual([]);
  expect(worseThanBounds('query', [figure(1.75 * 1.31)], 'arm64')).toEqual(['query: 200,000 rows as JSON: ratio 2.29, bound 1.75']);
  expect(worseThanBounds('query', [figure(3.5 * 1.29)], 'riscv64')).toEqual([]);
  expect(worseThanBounds('query', [figure(3.5 * 1.31)], 'riscv64')).toHaveLength(1);
});
