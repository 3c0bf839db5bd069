import { expect, test } from 'vitest';
import { itemsComment, jsonOf } from './jsonValue.ts';

test('visualizations 4.7: objects and lists, as they are or as text, up to a size', () => {
  expect(jsonOf('{"a": 1}', 50)).toEqual({ a: 1 });
  expect(jsonOf(' [1, 2]', 50)).toEqual([1, 2]);
  expect(jsonOf({ a: 1 }, 50)).toEqual({ a: 1 });
  expect(jsonOf({ a: 'x'.repeat(60) }, 50)).toBeUndefined();
  expect(jsonOf(`"${'x'.repeat(60)}"`, 50)).toBeUndefined();
  for (const value of ['{"a": ', 'text', '7', '"x"', 'null', 7, true, null]) expect(jsonOf(value, 50)).toBeUndefined();
});

test('a folded value shows its number of entries', () => {
  expect(itemsComment([1])).toBe('// 1 item');
  expect(itemsComment({ a: 1, b: 2 })).toBe('// 2 items');
});
