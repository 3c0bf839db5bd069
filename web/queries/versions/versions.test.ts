import { describe, expect, test } from 'vitest';
import { mergeTexts } from './mergeLines.ts';

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

  test('changes of one side alone are taken as they are, whatever they are', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 300; round++) {
      const text = () => Array.from({ length: random(12) }, () => String.fromCharCode(97 + random(4))).join('\n');
      const [base, mine] = [text(), text()];
      expect(mergeTexts(base, mine, base)).toBe(mine);
      expect(mergeTexts(base, base, mine)).toBe(mine);
    }
  });

  test('long texts without a common line are merged at once', () => {
    const many = (name: string) => Array.from({ length: 20_000 }, (_, at) => `${name}${at}`).join('\n');
    expect(mergeTexts(many('a'), many('b'), many('a'))).toBe(many('b'));
    expect(mergeTexts(many('a'), many('b'), many('c'))).toBeNull();
  });
});
