import { expect, test } from 'vitest';
import { momentText, wallText } from './momentText.ts';

test('a time of our own screens has its month as a word', () => {
  const at = new Date(2026, 10, 6, 14, 5, 9, 70);
  expect(momentText(at)).toBe('6 Nov 2026, 14:05');
  expect(momentText(at.toISOString(), 'second')).toBe('6 Nov 2026, 14:05:09');
  expect(momentText(at.getTime(), 'millisecond')).toBe('6 Nov 2026, 14:05:09.070');
});

test('a wall time of another zone looks the same; other text stays unchanged', () => {
  expect(wallText('2026-07-02 02:15:09')).toBe('2 Jul 2026, 02:15:09');
  expect(wallText('2026-12-31 23:59')).toBe('31 Dec 2026, 23:59');
  expect(wallText('soon')).toBe('soon');
});
