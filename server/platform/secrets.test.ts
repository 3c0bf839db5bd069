import { describe, expect, test } from 'vitest';
import { createSecrets, equalInConstantTime, type HashPurpose, randomCode, randomKey } from './secrets.ts';

const secrets = createSecrets('one secret key that is long enough to be used');
const others = createSecrets('another secret key that is long enough to be used');

describe('security 1: one secret, many keys', () => {
  test('the same text has another hash for every purpose and every installation', () => {
    const purposes: HashPurpose[] = ['api key', 'session', 'csrf', 'account link', 'set-up code', 'access token'];
    const hashes = [secrets, others].flatMap((own) => purposes.map((purpose) => own.hash(purpose, 'text').toString('hex')));
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(secrets.hash('session', 'text')).toEqual(secrets.hash('session', 'text'));
  });

  test('a sealed text opens again, differs each time and reveals nothing', () => {
    for (const text of ['', 'secret', '😀'.repeat(1000), '\u0000']) {
      const sealed = secrets.seal(text);
      expect(secrets.open(sealed)).toBe(text);
      expect(sealed.equals(secrets.seal(text))).toBe(false);
      // A single byte occurs among random ones by chance.
      if (text.length > 1) expect(sealed.includes(Buffer.from(text))).toBe(false);
    }
  });

  test('what was changed, cut or sealed elsewhere does not open', () => {
    const sealed = secrets.seal('secret');
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(() => secrets.open(changed)).toThrow();
    }
    expect(() => secrets.open(sealed.subarray(0, -1))).toThrow();
    expect(() => secrets.open(Buffer.alloc(0))).toThrow();
    expect(() => others.open(sealed)).toThrow();
  });

  test('a tag that was cut short does not count as one', () => {
    const sealed = secrets.seal('a longer secret');
    for (const length of [4, 8, 12, 15]) expect(() => secrets.open(sealed.subarray(0, sealed.length - 16 + length))).toThrow();
  });
});

describe('what nobody can guess', () => {
  test('keys are 40 of 62 characters, codes are easy to read aloud', () => {
    const keys = Array.from({ length: 200 }, () => randomKey());
    expect(new Set(keys).size).toBe(200);
    expect(keys.every((key) => /^[A-Za-z0-9]{40}$/.test(key))).toBe(true);
    expect(new Set(keys.join('')).size).toBe(62);
    expect(randomCode(3)).toMatch(/^[A-HJKMNP-TV-Z2-9]{4}(-[A-HJKMNP-TV-Z2-9]{4}){2}$/);
  });

  test('texts are compared whole', () => {
    expect([
      equalInConstantTime('abc', 'abc'),
      equalInConstantTime('abc', 'abd'),
      equalInConstantTime('abc', 'ab'),
      equalInConstantTime('', ''),
    ]).toEqual([true, false, false, true]);
    expect(equalInConstantTime('é', 'e')).toBe(false);
  });
});
