import { describe, expect, test } from 'vitest';
import { series } from '../../theme/tokens.ts';
import { channels, chartColors, mixed, textOn } from './chartColors.ts';
import { chartTheme } from './chartTheme.ts';
import { pngName } from './savePng.ts';

test.each(['light', 'dark'] as const)('the %s theme is made of the tokens', (name) => {
  const theme = chartTheme(name);
  expect(theme.color).toEqual(series[name]);
  expect(theme.categoryAxis.axisLabel.color).toBe(chartColors(name).muted);
  expect(theme.animation).toBe(false);
});

describe('visualizations 2.8: colours', () => {
  test.each([
    ['#ffffff', '#333333'],
    ['#fff', '#333333'],
    ['#000', '#ffffff'],
    ['#356AFF', '#ffffff'],
    ['#FDE725', '#333333'],
    ['rgb(0, 0, 0)', '#ffffff'],
    ['nonsense', '#333333'],
  ])('text on %s is %s', (ground, text) => {
    expect(textOn(ground)).toBe(text);
  });

  test('between two colours', () => {
    expect(mixed('#000000', '#ffffff', 0)).toBe('#000000');
    expect(mixed('#000000', '#ffffff', 1)).toBe('#ffffff');
    expect(mixed('#102030', '#304050', 0.5)).toBe('#203040');
    expect(channels('#1a2B3c')).toEqual([26, 43, 60]);
  });
});

test.each([
  ['Temperature', 'Temperature.png'],
  ['a/b\\c: <d>?*|"e"', 'a b c d e.png'],
  ['../../etc', 'etc.png'],
  ['', 'picture.png'],
  ['漢字 🌊', '漢字 🌊.png'],
])('a picture named %j is saved as %j', (name, file) => {
  expect(pngName(name)).toBe(file);
});
