import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** Separate keys for separate uses, all derived from the one secret (security 1). */
export interface Secrets {
  /** Keyed hash to look a secret up by: API keys, cookie values, links. */
  hash(purpose: HashPurpose, value: string): Buffer;
  /** AES-256-GCM: for values that must be shown again but not stored in plain text. */
  seal(text: string): Buffer;
  open(sealed: Buffer): string;
}

export type HashPurpose =
  | 'api key'
  | 'session'
  | 'csrf'
  | 'account link'
  | 'set-up code'
  | 'access token'
  | 'proxy session'
  | 'sign-in flow'
  | 'recovery code';

const nonceBytes = 12;
const tagBytes = 16;

export function createSecrets(secretKey: string): Secrets {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secretKey, 'telltale', use, 32));
  const sealKey = derive('seal');
  const hashKeys = new Map<HashPurpose, Buffer>();
  const hashKey = (purpose: HashPurpose) => {
    const known = hashKeys.get(purpose);
    if (known) return known;
    const key = derive(`hash ${purpose}`);
    hashKeys.set(purpose, key);
    return key;
  };
  return {
    hash: (purpose, value) => createHmac('sha256', hashKey(purpose)).update(value).digest(),
    seal(text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce);
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed) {
      const decipher = createDecipheriv('aes-256-gcm', sealKey, sealed.subarray(0, nonceBytes));
      decipher.setAuthTag(sealed.subarray(-tagBytes));
      return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString('utf8');
    },
  };
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** server-behaviour 5: 40 characters of [A-Za-z0-9]. */
export const randomKey = (length = 40): string => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** A random code for people to type: no letters that look like digits. */
export const randomCode = (groups: number): string =>
  Array.from({ length: groups }, () => Array.from({ length: 4 }, () => 'ABCDEFGHJKMNPQRSTVWXYZ23456789'[randomInt(30)]).join('')).join('-');

export function equalInConstantTime(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
