import { expect, test } from 'vitest';
import { notifiers } from '../../server/notifiers/index.ts';
import { marks } from './marks.tsx';

test('A2: every kind of destination has a mark', () => {
  expect(notifiers.map(({ type }) => type).filter((type) => !Object.hasOwn(marks, type))).toEqual([]);
});

test('marks of letters can be told apart', () => {
  const glyphs = Object.values(marks).flatMap(({ glyph }) => (typeof glyph === 'string' ? [glyph] : []));
  expect(new Set(glyphs).size).toBe(glyphs.length);
});
