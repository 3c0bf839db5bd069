import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../platform/log.ts';
import { createFileOnce, hasCode } from './atomic-file.ts';
import { StartError } from './start-error.ts';

const shortest = 32;
const fewestKinds = 10;

/** Keys from public code and guides; anybody could sign sessions with them. */
const published = [
  'c292a0a3aa32397cdb050e233733900f',
  'veryverysecret',
  'thisISaSECRET_1234',
  'CHANGE_ME_TO_A_COMPLEX_RANDOM_SECRET',
  '\\2\\1thisismyscretkey\\1\\2\\e\\y\\y\\h',
  'thingsboardDefaultSigningKey',
  'TEST_NON_DEV_SECRET',
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789abcdef',
  'telltale',
  'secret',
  'changeme',
  'password',
];

/** The key of the settings, or the one in the data folder, which the first start makes. */
export async function getSecretKey(given: string | undefined, dataFolder: string, log?: Logger): Promise<string> {
  if (given !== undefined) return checked(given, 'TELLTALE_SECRET_KEY');
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const file = join(dataFolder, 'secret.key');
  const kept = (await readKept(file)) ?? (await create(file));
  await keepPrivate(file, log);
  return checked(kept, file);
}

/** The reason why a key cannot be used, or undefined. */
export function findKeyFault(key: string): string | undefined {
  if (key.length < shortest) return `has ${key.length} characters, at least ${shortest} are needed`;
  if (new Set(key).size < fewestKinds) return `holds fewer than ${fewestKinds} different characters`;
  if (published.some((known) => repeats(known.toLowerCase(), key.toLowerCase()))) return 'is publicly known';
  return undefined;
}

function checked(key: string, from: string): string {
  const fault = findKeyFault(key);
  if (!fault) return key;
  const advice = from === 'TELLTALE_SECRET_KEY' ? 'Leave it out and one is made' : 'Put the right one back from a backup';
  throw new StartError(`The secret key of ${from} cannot be used: it ${fault}. ${advice}.`);
}

/** Also recognises a known key written several times, whole or cut. */
function repeats(known: string, key: string): boolean {
  return known.repeat(Math.ceil(key.length / known.length)).startsWith(key);
}

async function readKept(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Two concurrent first starts end with the same key: the slower one reads the key that the faster one wrote. */
async function create(file: string): Promise<string> {
  const key = randomBytes(48).toString('base64url');
  if (await createFileOnce(file, `${key}\n`)) return key;
  return (await readFile(file, 'utf8')).trim();
}

async function keepPrivate(file: string, log?: Logger): Promise<void> {
  if (process.platform === 'win32') return;
  const { mode } = await stat(file);
  if ((mode & 0o077) === 0) return;
  await chmod(file, 0o600);
  log?.warn({ file }, 'the secret key file could be read by other users of this machine; its mode is 0600 now');
}
