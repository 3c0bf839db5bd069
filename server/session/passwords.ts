import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { unavailable } from '../platform/errors.ts';

/**
 * Hashing takes one of the four threads that look up names, read files and compress answers as well, so a flood of sign-ins, which need no
 * account, may take two of them. Right passwords wait in the same line.
 */
const [mostAtOnce, mostWaiting] = [2, 100];
let running = 0;
const waiting: (() => void)[] = [];

const deriveNow = promisify(argon2);

async function derive(...input: Parameters<typeof deriveNow>): Promise<Buffer> {
  if (running < mostAtOnce) running++;
  else {
    if (waiting.length >= mostWaiting) throw unavailable('Too many people are signing in. Please try again in a few seconds.');
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  try {
    return await deriveNow(...input);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/** argon2id with the parameters recommended by OWASP; they are stored with the hash, so they can grow later. */
const current = { memory: 19_456, passes: 2, parallelism: 1 };
const tagLength = 32;

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive('argon2id', { message: password, nonce: salt, tagLength, ...current });
  return `argon2id$${current.memory}$${current.passes}$${current.parallelism}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [kind, memory, passes, parallelism, salt, hash] = stored.split('$');
  if (kind !== 'argon2id' || !salt || !hash) return false;
  const expected = Buffer.from(hash, 'base64url');
  const actual = await derive('argon2id', {
    message: password,
    nonce: Buffer.from(salt, 'base64url'),
    tagLength: expected.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(actual, expected);
}

/** Unknown accounts cost the same time as known ones, so the delay reveals nothing. */
let decoy: Promise<string> | undefined;
export async function wasteTimeOn(password: string): Promise<false> {
  decoy ??= hashPassword('no account has this one').catch((error) => {
    decoy = undefined;
    throw error;
  });
  await isPassword(password, await decoy);
  return false;
}
