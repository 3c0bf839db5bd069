import { describe, expect, test } from 'vitest';
import { lineDiff } from './lineDiff.ts';
import { mergeTexts } from './mergeLines.ts';

const diff = (before: string, after: string) =>
  lineDiff(before.split(' '), after.split(' ')).map(({ kind, text }) => `${{ same: '', removed: '-', added: '+' }[kind]}${text}`);

describe('what has changed between two texts', () => {
  test.each([
    ['a b c', 'a b c', 'a b c'],
    ['a b c', 'a c', 'a -b c'],
    ['a c', 'a b c', 'a +b c'],
    ['a b c', 'x b y', '-a +x b -c +y'],
    ['a', 'b', '-a +b'],
    ['a b c a b b a', 'c b a b a c', '-a -b c +b a b -b a +c'],
  ])('%s → %s', (before, after, expected) => {
    expect(diff(before, after).join(' ')).toBe(expected);
  });

  test('either text can be read from any difference', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 300; round++) {
      const text = () => Array.from({ length: random(12) }, () => String.fromCharCode(97 + random(4)));
      const [before, after] = [text(), text()];
      const lines = lineDiff(before, after);
      expect(lines.filter(({ kind }) => kind !== 'added').map((line) => line.text)).toEqual(before);
      expect(lines.filter(({ kind }) => kind !== 'removed').map((line) => line.text)).toEqual(after);
    }
  });

  test('two long texts without a common line are told apart quickly', () => {
    const many = (name: string) => Array.from({ length: 20_000 }, (_, at) => `${name}${at}`);
    const started = performance.now();
    expect(lineDiff(many('a'), many('b'))).toHaveLength(40_000);
    expect(performance.now() - started).toBeLessThan(3000);
  });
});

describe('two people’s changes in one text', () => {
  const merge = (base: string, mine: string, theirs: string) =>
    mergeTexts(base.replaceAll(' ', '\n'), mine.replaceAll(' ', '\n'), theirs.replaceAll(' ', '\n'))?.replaceAll('\n', ' ') ?? null;

  test.each([
    ['a b c d e', 'A b c d e', 'a b c d E', 'A b c d E'],
    ['a b c d e', 'a b c d e', 'a x c d e', 'a x c d e'],
    ['a b c d e', 'a b new c d e', 'a b c d', 'a b new c d'],
    ['a b c', 'a B c', 'a B c', 'a B c'],
    ['a b c', 'a B c', 'a b C', null],
    ['a b c', 'a B c', 'a X c', null],
    ['a b c', 'a mine b c', 'a theirs b c', null],
    ['a b c', 'a c', 'a B c', null],
  ])('%s: mine %s, theirs %s', (base, mine, theirs, expected) => {
    expect(merge(base, mine, theirs)).toBe(expected);
  });
});
