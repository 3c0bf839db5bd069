import { expect, test } from 'vitest';
import { isSameValue } from './same-value.ts';

test.each([
  [{ type: 'number' }, 5, '5', true],
  [{ type: 'number' }, '5.0', 5, true],
  [{ type: 'number' }, 5, 6, false],
  [{ type: 'text' }, 5, '5', true],
  [{ type: 'text' }, 'a', 'A', false],
  [{ type: 'date' }, '2026-01-02T00:00', '2026-01-02', true],
  [{ type: 'datetime-local' }, '2026-01-02T03:04', '2026-01-02 03:04', true],
  [{ type: 'datetime-local' }, '2026-01-02T03:05', '2026-01-02 03:04', false],
  [{ type: 'date-range' }, ['2026-01-01', '2026-01-02'], { start: '2026-01-01', end: '2026-01-02' }, true],
  [{ type: 'date-range' }, 'd_today', 'd_today', true],
  [{ type: 'date-range' }, 'd_today', 'd_yesterday', false],
  [{ type: 'date-range' }, { start: '2026-01-01', end: '2026-01-01' }, 'd_today', false],
  [{ type: 'enum', enumOptions: 'a\nb' }, 'a', 'a', true],
  [{ type: 'enum', enumOptions: 'a\nb' }, 'x', 'a', false],
  [{ type: 'enum', enumOptions: 'a\nb', multiValuesOptions: {} }, ['a', 'b'], ['a', 'b'], true],
  [{ type: 'query', queryId: 1 }, 7, '7', true],
  [{ type: 'query', queryId: 1 }, 7, 8, false],
  [{ type: 'number' }, null, undefined, true],
  [{ type: 'number' }, 0, null, false],
])('%j: %j and %j', (parameter, given, wanted, isSame) => {
  expect(isSameValue({ name: 'p', ...parameter }, given, wanted)).toBe(isSame);
});
