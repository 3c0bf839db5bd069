import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { random } from '../../testing/random.ts';
import { deflateText, pieceBytes } from './deflate-text.ts';
import { anyBytes } from './testing/any-bytes.ts';

const inflated = (data: Buffer) => inflateRawSync(data, { finishFlush: constants.Z_SYNC_FLUSH });
const rows = (count: number) =>
  Buffer.from(
    Array.from(
      { length: count },
      (_, i) => `{"id":${i},"device":"device-${i % 100}","time":"2026-01-01T00:00:${10 + (i % 50)}Z","value":${((i * 37) % 1000) / 10}}`,
    ).join(),
  );

describe('deflate-text.wasm', () => {
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.from('a')],
    ['three bytes', Buffer.from('abc')],
    ['one letter, often', Buffer.alloc(200_000, 'a')],
    ['a repetition of the longest length', Buffer.from('abcd'.repeat(100))],
    ['rows', rows(5000)],
    ['as much as fits at once', Buffer.alloc(pieceBytes, rows(1000))],
    ['a byte more', Buffer.alloc(pieceBytes + 1, rows(1000))],
    ['three pieces', Buffer.alloc(2 * pieceBytes + 17, rows(1000))],
    ['every byte', Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7 + (i >> 8)) % 256))],
    // Counts like these make a tree deeper than deflate allows.
    ['letters that are each as frequent as two others', Buffer.from(fibonacci(24).join(''))],
  ])('zlib inflates %s to the same bytes', (_, bytes) => {
    for (const by of ['keys', 'fields'] as const) expect(inflated(deflateText(bytes, by)).equals(bytes)).toBe(true);
  });

  test.each(Array.from({ length: 60 }, (_, seed) => seed))('zlib inflates whatever it makes of chance %i', (seed) => {
    const next = random(seed);
    for (let k = 0; k < 10; k++) {
      const bytes = anyBytes(next);
      const deflated = deflateText(bytes, next() < 0.5 ? 'keys' : 'fields');
      expect(inflated(deflated).equals(bytes)).toBe(true);
      expect(deflated.length).toBeLessThanOrEqual(bytes.length + 5 * Math.ceil(bytes.length / 60_000) + 10);
    }
  });

  test('W34: pieces join into one stream', () => {
    const pieces = [rows(2000), Buffer.alloc(0), Buffer.from('x'), rows(10)];
    expect(inflated(Buffer.concat(pieces.map((piece) => deflateText(piece)))).equals(Buffer.concat(pieces))).toBe(true);
  });

  test('rows become about as small as by the quickest level of zlib', () => {
    const bytes = rows(6000);
    expect(deflateText(bytes).length).toBeLessThan(1.1 * deflateRawSync(bytes, { level: 1 }).length);
  });
});

/** Letters, each as often as the two before it together. */
function fibonacci(letters: number): string[] {
  const counts = [1, 1];
  while (counts.length < letters) counts.push((counts.at(-1) ?? 0) + (counts.at(-2) ?? 0));
  const next = random(1);
  const all = counts.flatMap((count, i) => Array.from({ length: count }, () => String.fromCharCode(65 + i)));
  return all.sort(() => next() - 0.5);
}
