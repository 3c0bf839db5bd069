import { randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function base32(value: number, length: number): string {
  let text = '';
  for (let left = value; text.length < length; left = Math.floor(left / 32)) text = alphabet[left % 32] + text;
  return text;
}

/** When a ULID was made; the beginning of time for what is none. */
export function ulidMs(id: string): number {
  const digits = [...id.slice(0, 10).toUpperCase()].map((letter) => alphabet.indexOf(letter));
  return digits.length < 10 || digits.includes(-1) ? 0 : digits.reduce((sum, digit) => sum * 32 + digit, 0);
}

/**
 * ULIDs that only grow: the time in milliseconds, then which process it was, then a count. Sorting them sorts by arrival, and
 * they cost a hundredth of what sixteen random characters do.
 */
export function ulids(): (ms: number) => string {
  const mine = base32(randomBytes(5).readUIntBE(0, 5), 8);
  let [latest, prefix, count] = [-1, '', 0];
  return (ms) => {
    if (ms > latest) {
      latest = ms;
      prefix = base32(ms, 10) + mine;
      count = randomBytes(3).readUIntBE(0, 3);
    }
    return prefix + base32(count++, 8);
  };
}
