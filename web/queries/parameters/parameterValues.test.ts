import { expect, test } from 'vitest';
import { addressWith, effectiveValues, withPending, withValues } from './parameterValues.ts';

const number = { name: 'n', type: 'number', value: 3 };
const range = { name: 'r', type: 'date-range', value: 'd_this_week' };
const address = (text: string) => new URLSearchParams(text);

test('screens 1.7: applied values win over the address, the address over what was saved', () => {
  expect(effectiveValues([number], {}, address(''))).toEqual({ n: 3 });
  expect(effectiveValues([number], {}, address('p_n=7'))).toEqual({ n: 7 });
  expect(effectiveValues([number], { n: 9 }, address('p_n=7'))).toEqual({ n: 9 });
  expect(effectiveValues([{ ...number, type: 'date' }], { n: 9 }, address(''))).toEqual({ n: null });
});

test('screens 8.3: a value set back is not pending', () => {
  const pending = withPending({}, { n: 3 }, 'n', 4);
  expect(pending).toEqual({ n: 4 });
  expect(withPending(pending, { n: 3 }, 'n', 3)).toEqual({});
});

test('screens 1.7: the address carries the values and keeps the rest', () => {
  expect(addressWith('?fullscreen', [number, range], { n: 4, r: { start: '2026-01-01', end: '2026-01-02' } })).toBe(
    '?fullscreen=&p_n=4&p_r=2026-01-01--2026-01-02',
  );
  expect(addressWith('?p_n=4', [number], { n: null })).toBe('');
});

test('screens 5.3: a save stores the applied values', () => {
  expect(withValues([number], { n: 8 })).toEqual([{ name: 'n', type: 'number', value: 8 }]);
});
