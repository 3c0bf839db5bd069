import { commonTileSources } from '@telltale/domain/visualizations/map-tiles.ts';
import { expect, test } from 'vitest';
import { intervalSeconds, intervalText, tilesFrom, tilesText } from './settingTexts.ts';

test.each([
  [60, '1m'],
  [90, '90s'],
  [43_200, '12h'],
  [1_209_600, '14d'],
])('an interval of %i seconds is written %s, and read back', (seconds, text) => {
  expect(intervalText(seconds)).toBe(text);
  expect(intervalSeconds(text)).toBe(seconds);
});

test('invalid intervals are none', () => {
  expect(intervalSeconds('soon')).toBeUndefined();
  expect(intervalSeconds('-5m')).toBeUndefined();
  expect(intervalSeconds('300')).toBe(300);
});

test('tile sources are lines, read back as they were', () => {
  expect(tilesFrom(tilesText(commonTileSources))).toEqual({ sources: commonTileSources });
  expect(tilesFrom('\n')).toEqual({ sources: [] });
  expect(tilesFrom('Mine | https://example.org/tiles.png')).toHaveProperty('fault');
});
