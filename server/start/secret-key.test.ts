import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findKeyFault, getSecretKey } from './secret-key.ts';
import { temporaryFolder } from './testing.ts';

const good = 'kT3v9sXq2LmZ8wRb7YcNd4HfJg6PaEu1';

describe('secret key', () => {
  test('is made once, 48 random bytes in a file that only its owner may read', async () => {
    const folder = join(await temporaryFolder(), 'data');
    const key = await getSecretKey(undefined, folder);
    expect(Buffer.from(key, 'base64url')).toHaveLength(48);
    expect(await getSecretKey(undefined, folder)).toBe(key);
    expect((await stat(join(folder, 'secret.key'))).mode & 0o777).toBe(0o600);
  });

  test('is the same for two first starts at once', async () => {
    const folder = await temporaryFolder();
    const keys = await Promise.all(Array.from({ length: 20 }, () => getSecretKey(undefined, folder)));
    expect(new Set(keys).size).toBe(1);
  });

  test('given in the settings is used and not written down', async () => {
    const folder = await temporaryFolder();
    expect(await getSecretKey(good, folder)).toBe(good);
    await expect(stat(join(folder, 'secret.key'))).rejects.toThrow('ENOENT');
  });

  test('in a file that others may read is made private again', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'secret.key');
    await writeFile(file, `${good}\n`);
    await chmod(file, 0o644);
    expect(await getSecretKey(undefined, folder)).toBe(good);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('in a damaged file is refused and the file is left alone', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'secret.key'), 'cut');
    await expect(getSecretKey(undefined, folder)).rejects.toThrow('at least 32');
    expect(await readFile(join(folder, 'secret.key'), 'utf8')).toBe('cut');
  });

  test('that is short, monotonous or public is refused with one line', async () => {
    await expect(getSecretKey('short', '/nowhere')).rejects.toThrow(
      'The secret key of TELLTALE_SECRET_KEY cannot be used: it has 5 characters, at least 32 are needed. Leave it out and one is made.',
    );
    expect(findKeyFault('')).toContain('at least 32');
    expect(findKeyFault('ab'.repeat(20))).toContain('different characters');
    expect(findKeyFault('c292a0a3aa32397cdb050e233733900f')).toBe('is publicly known');
    expect(findKeyFault('C292A0A3AA32397CDB050E233733900F')).toBe('is publicly known');
    expect(findKeyFault('CHANGE_ME_TO_A_COMPLEX_RANDOM_SECRET')).toBe('is publicly known');
    expect(findKeyFault('thisISaSECRET_1234'.repeat(3))).toBe('is publicly known');
    expect(findKeyFault('\\2\\1thisismyscretkey\\1\\2\\e\\y\\y\\h'.repeat(2))).toBe('is publicly known');
    expect(findKeyFault(good)).toBeUndefined();
  });
});
