import { describe, expect, test } from 'vitest';
import type { ResultRow } from '../results/contract.ts';
import { numberOf, stateOf } from './condition.ts';
import type { Operator, Threshold } from './options.ts';
import { NewAlertOptions } from './options.ts';
import { Selection } from './selection.ts';

function verdictOf(rows: ResultRow[], options: ConstructorParameters<typeof Selection>[0]) {
  const selection = new Selection(options, 'UTC');
  for (const row of rows) {
    selection.see(row);
    if (selection.isDone) break;
  }
  return selection.verdict();
}

describe('server-behaviour 27.4: states', () => {
  test.each<[Operator, unknown, Threshold, string]>([
    ['==', 1, '1', 'triggered'],
    ['==', 1, '1.0', 'triggered'],
    ['>', '5', 1, 'triggered'],
    ['==', 1, 'string', 'unknown'],
    ['==', 'string', '1.0', 'ok'],
    ['==', false, 'false', 'triggered'],
    ['!=', false, 'true', 'triggered'],
    ['>', 'a', 'b', 'unknown'],
    ['>', 'b', 'a', 'triggered'],
    ['==', null, 1, 'unknown'],
    ['>=', 1, 1, 'triggered'],
    ['<=', 2, 1, 'ok'],
    ['<', -1e300, '1e-300', 'triggered'],
    ['!=', 'x', 'x', 'ok'],
    ['>', { a: 1 }, 1, 'unknown'],
    ['>', [2], 1, 'unknown'],
    ['>', Number.NaN, 1, 'unknown'],
    ['==', '', '', 'triggered'],
    ['>', '0x10', 1, 'unknown'],
  ])('%s %j %j is %s', (op, value, threshold, state) => {
    expect(stateOf(value, op, threshold)).toBe(state);
  });

  test.each<[Operator, unknown, Threshold, string]>([
    ['>', '2026-11-16', '2026-11-15', 'triggered'],
    ['>', '2026-11-15', '2026-11-16', 'ok'],
    ['==', '2026-11-16T00:00:00Z', '2026-11-16', 'triggered'],
    ['<', '2026-11-16T09:59:59.999Z', '2026-11-16 10:00:00', 'triggered'],
    ['>=', '2026-11-16T12:00:00+02:00', '2026-11-16 10:00:00', 'triggered'],
    ['>', '14:30:00', '09:00:00', 'triggered'],
    ['<', '14:30', '09:00:00', 'ok'],
    ['>', '14:30:00', '2026-11-16', 'unknown'],
    ['>', '2026-02-30', '2026-01-01', 'triggered'],
  ])('A9: dates and times compare as moments: %s %j %j is %s', (op, value, threshold, state) => {
    expect(stateOf(value, op, threshold)).toBe(state);
  });

  test('design 8: a threshold without an offset is a time of the organisation', () => {
    expect(stateOf('2026-11-16T09:30:00Z', '>', '2026-11-16 10:00:00', 'Europe/Berlin')).toBe('triggered');
    expect(stateOf('2026-11-16T09:30:00Z', '>', '2026-11-16 10:00:00', 'UTC')).toBe('ok');
    expect(stateOf('2026-07-01T07:59:00Z', '<', '2026-07-01 10:00:00', 'Europe/Berlin')).toBe('triggered');
  });
});

describe('which row counts', () => {
  const watched = { column: 'v', op: '>' as const, value: 10 };
  const of = (selector: 'first' | 'min' | 'max' | 'any' | 'all', ...values: unknown[]) =>
    verdictOf(
      values.map((v) => (v === undefined ? {} : { v })),
      { ...watched, selector },
    );

  test('no rows, a missing column and null are unknown, with the reason', () => {
    expect(of('first')).toEqual({ state: 'unknown', value: null, lack: 'The result has no rows.' });
    expect(of('first', undefined, 50)).toEqual({ state: 'unknown', value: null, lack: 'The result has no column v.' });
    expect(of('first', null, 50)).toEqual({ state: 'unknown', value: null, lack: 'The value is empty.' });
  });

  test('first, least and greatest', () => {
    expect(of('first', 5, 50)).toEqual({ state: 'ok', value: 5 });
    expect(of('max', 5, '50', 7)).toEqual({ state: 'triggered', value: '50' });
    expect(of('min', 5, 50)).toEqual({ state: 'ok', value: 5 });
    expect(of('max', 5, null).state).toBe('unknown');
    expect(of('max', 5, 'many').state).toBe('unknown');
    expect(
      verdictOf([{ v: '2026-01-02' }, { v: '2026-03-01' }], { column: 'v', op: '>', value: '2026-02-01', selector: 'max' }).state,
    ).toBe('triggered');
  });

  test('any is enough with one row, all needs every one; empty cells are skipped', () => {
    expect(of('any', 1, null, 50)).toEqual({ state: 'triggered', value: 50 });
    expect(of('any', 1, null, 2)).toEqual({ state: 'ok', value: 1 });
    expect(of('all', 11, null, 50)).toEqual({ state: 'triggered', value: 11 });
    expect(of('all', 11, 2, 50)).toEqual({ state: 'ok', value: 2 });
    expect(of('any', null, null).state).toBe('unknown');
    expect(of('all', null).state).toBe('unknown');
  });

  test('security 31: a column named like a part of every object is a column like any other', () => {
    expect(verdictOf([{ a: 1 }], { ...watched, column: 'constructor', selector: 'first' }).lack).toBe(
      'The result has no column constructor.',
    );
    expect(verdictOf([JSON.parse('{"__proto__": 50}')], { ...watched, column: '__proto__', selector: 'first' }).state).toBe('triggered');
  });
});

test('A7: operator words are symbols', () => {
  const op = (given: string) => (NewAlertOptions.parse({ column: 'v', op: given, value: 1 }) as { op: string }).op;
  expect(['greater than', 'less than', 'equals', '=', '>='].map(op)).toEqual(['>', '<', '==', '==', '>=']);
  expect(NewAlertOptions.safeParse({ column: 'v', op: 'near', value: 1 }).success).toBe(false);
  expect(NewAlertOptions.parse({ column: 'v', muted: null, selector: null })).toMatchObject({
    op: '>',
    value: 1,
    muted: false,
    selector: 'first',
  });
});

test('security 32: a million digits before a letter are no number', () => {
  expect(numberOf(`${'1'.repeat(1_000_000)}x`)).toBeUndefined();
  expect(['1', '-1.', '+.5', '1.5e3', '.', '1e'].map(numberOf)).toEqual([1, -1, 0.5, 1500, undefined, undefined]);
});
