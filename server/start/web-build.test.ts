import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createLogger } from '../platform/log.ts';
import { temporaryFolder } from './testing.ts';
import { ensureWebBuild } from './web-build.ts';

const log = createLogger('silent');

test('the pages are built once, by two starts at once alike, with compressed copies beside them', { timeout: 120_000 }, async () => {
  const folder = await temporaryFolder();
  const [first, second] = await Promise.all([ensureWebBuild(folder, log), ensureWebBuild(folder, log)]);
  expect(second).toBe(first);
  expect(await readdir(join(folder, 'web'))).toHaveLength(1);

  const files = await readdir(first, { recursive: true });
  expect(files).toContain('index.html');
  const script = files.find((name) => name.endsWith('.js')) ?? '';
  const content = await readFile(join(first, script));
  expect(gunzipSync(await readFile(join(first, `${script}.gz`))).equals(content)).toBe(true);
  expect(brotliDecompressSync(await readFile(join(first, `${script}.br`))).equals(content)).toBe(true);

  const begun = performance.now();
  expect(await ensureWebBuild(folder, log)).toBe(first);
  expect(performance.now() - begun).toBeLessThan(1000);
});
