import { randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function base32(value: number, length: number): string {
  let text = '';
  for (let left = value; text.length < length; left = Math.floor(left / 32)) text = alphabet[left % 32] + text;
  return text;
}

/** The time at which a ULID was made; 0 for any other text. */
export function ulidMs(id: string): number {
  const digits = [...id.slice(0, 10).toUpperCase()].map((letter) => alphabet.indexOf(letter));
  return digits.length < 10 || digits.includes(-1) ? 0 : digits.reduce((sum, digit) => sum * 32 + digit, 0);
}

/**
 * Monotonic ULIDs: the time in milliseconds, then an id of the process, then a count. Sorting them sorts by arrival, and they cost a
 * hundredth of sixteen random characters.
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
