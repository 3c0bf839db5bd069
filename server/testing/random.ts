/** Pseudo-random numbers from 0 to 1: the same seed repeats a failure. */
export const random = (seed: number) => () => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
  return seed / 2 ** 31;
};

export const pick = <T>(next: () => number, items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
