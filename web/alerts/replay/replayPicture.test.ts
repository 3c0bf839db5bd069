import { expect, test } from 'vitest';
import { replaySentence, replaySeries } from './replayPicture.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const base = { evaluations: 10, triggered: [], notifications: 0, is_partial: false };

test('each device has a line, and values that are no numbers have none', () => {
  const series = [
    { at: at(1), value: '2', device_id: 'b' },
    { at: at(0), value: true, device_id: 'b' },
    { at: at(0), value: 1.5, device_id: 'a' },
    { at: at(2), value: 'open', device_id: 'a' },
    { at: at(3), value: null, device_id: 'c' },
  ];
  const lines = replaySeries({ series });
  expect(lines.map(({ name, points }) => [name, points.map(({ value }) => value)])).toEqual([
    ['b', [1, 2]],
    ['a', [1.5]],
  ]);
});

test('the sentence says how often it would have triggered and notified', () => {
  expect(replaySentence(base, 30)).toBe('With these settings it would not have triggered in the last 30 days (10 evaluations).');
  expect(replaySentence({ ...base, triggered: [{ at: at(0), value: 2 }], notifications: 1 }, 30)).toBe(
    'With these settings it would have triggered 1 time in the last 30 days and sent 1 notice (10 evaluations).',
  );
  expect(replaySentence({ ...base, is_partial: true }, 30)).toContain('(10 evaluations, the oldest data left out)');
  expect(replaySentence({ ...base, evaluations: 0 }, 30)).toBe('There is no stored data of the last 30 days to try it on.');
});
