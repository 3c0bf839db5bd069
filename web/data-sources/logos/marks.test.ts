import { expect, test } from 'vitest';
import { connectors } from '../../../server/connectors/index.ts';
import { markOf } from '../../ui/KindMark.tsx';
import { marks } from './marks.tsx';

test('every kind of data source has a mark of its own', () => {
  expect(connectors.map(({ type }) => type).filter((type) => !Object.hasOwn(marks, type))).toEqual([]);
});

test('marks of letters can be told apart', () => {
  const glyphs = Object.values(marks).flatMap(({ glyph }) => (typeof glyph === 'string' ? [glyph] : []));
  expect(new Set(glyphs).size).toBe(glyphs.length);
});

test('an unknown kind gets the first letters of its name, in grey', () => {
  expect(markOf(marks, 'mssql', 'Microsoft SQL Server')).toEqual({ tint: 'var(--series-10)', glyph: 'Mi' });
  expect(markOf(marks, 'db2')).toEqual({ tint: 'var(--series-10)', glyph: 'Db' });
  expect(markOf(marks, '--')).toEqual({ tint: 'var(--series-10)', glyph: '?' });
  expect(markOf(marks, 'constructor').glyph).toBe('Co');
});
