import { pick } from '../../../testing/random.ts';

/** More or less repetitive bytes of more or fewer kinds, at most so many. */
export function anyBytes(next: () => number, most = 80_000): Buffer {
  const bytes = Buffer.alloc(Math.min(most, Math.floor(next() ** 3 * 80_000)));
  const kinds = 1 + Math.floor(next() ** 2 * 255);
  const repetition = next();
  const far = pick(next, [1, 10, 300, 40_000]);
  for (let i = 0; i < bytes.length; i++) {
    const from = i - 1 - Math.floor(next() * far);
    bytes[i] = from >= 0 && next() < repetition ? (bytes[from] as number) : Math.floor(next() ** (1 + 6 * repetition) * kinds);
  }
  return bytes;
}
