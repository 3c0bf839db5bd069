import { describe, expect, test } from 'vitest';
import { colors, series, themeCss } from './tokens.ts';

const channel = (value: number) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => channel(Number.parseInt(hex.slice(at, at + 2), 16) / 255));
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}
function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  const grounds = (['paper', 'surface', 'raised', 'hover'] as const).map((name) => colors[name][theme]);

  test.each(['ink', 'muted', 'primary', 'danger', 'info'] as const)('%s is readable as text on every ground', (name) => {
    for (const ground of grounds) expect(contrast(colors[name][theme], ground)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(['ok', 'warning', 'edge'] as const)('%s is visible as a mark on paper and surface', (name) => {
    for (const ground of [colors.paper[theme], colors.surface[theme]]) {
      expect(contrast(colors[name][theme], ground)).toBeGreaterThanOrEqual(3);
    }
  });

  test('text on the strong colours is readable', () => {
    for (const name of ['primary', 'danger', 'info'] as const) {
      expect(contrast(colors['on-strong'][theme], colors[name][theme])).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('ten series, in the dark each lighter', () => {
    expect(series[theme]).toHaveLength(10);
    for (const [index, color] of series.dark.entries()) expect(luminance(color)).toBeGreaterThan(luminance(series.light[index] ?? ''));
  });
});

test('both themes print the same names', () => {
  const names = [...themeCss.matchAll(/(--[\w-]+):/g)].map((match) => match[1] ?? '');
  const shared = new Set(['--font', '--font-code', '--radius', '--bar', '--fast']);
  const counts = Map.groupBy(
    names.filter((name) => !shared.has(name)),
    (name) => name,
  );
  for (const uses of counts.values()) expect(uses).toHaveLength(3);
});
