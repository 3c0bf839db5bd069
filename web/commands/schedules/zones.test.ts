import { expect, test } from 'vitest';
import { offsetText, wallClock, zoneOptions } from './zones.ts';

const at = new Date('2026-07-01T20:45:09Z');

test('A5: a one-time schedule is written as the clock of its zone shows it', () => {
  expect(wallClock(at, 'Asia/Kolkata')).toBe('2026-07-02 02:15:09');
  expect(wallClock(at, 'UTC')).toBe('2026-07-01 20:45:09');
  expect(wallClock(new Date('2026-01-01T00:00:00Z'), 'UTC')).toBe('2026-01-01 00:00:00');
});

test('the offset of a zone follows the season', () => {
  expect(offsetText('Europe/Berlin', at)).toBe('UTC+02:00');
  expect(offsetText('Europe/Berlin', new Date('2026-01-01T00:00:00Z'))).toBe('UTC+01:00');
  expect(offsetText('UTC', at)).toBe('UTC+00:00');
});

test('A9: the default zone is offered, and so is a chosen one that the browser does not list', () => {
  const values = zoneOptions('US/Pacific', at).map(({ value }) => value);
  expect(values).toContain('Asia/Kolkata');
  expect(values).toContain('US/Pacific');
  expect(new Set(values).size).toBe(values.length);
});
