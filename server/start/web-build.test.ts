import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from './testing.ts';
import { ensureWebBuild } from './web-build.ts';

const during = (building: Promise<void>) => building;
const script = `document.body.textContent = ${JSON.stringify('a page of words that repeat, '.repeat(50))};\n`;

/** A small repository with pages of its own, so that edits of the real pages do not disturb the test. */
async function repository() {
  const folder = await temporaryFolder();
  const write = async (path: string, text: string) => {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  await write('web/index.html', '<!doctype html><body><script type="module" src="/main.ts"></script></body>');
  await write('web/main.ts', script);
  await write('web/vite.config.ts', 'export default {};');
  await write('domain/words.ts', 'export {};');
  await write('package-lock.json', '{}');
  await write('tsconfig.base.json', '{}');
  const build = () => ensureWebBuild(join(folder, 'data'), during, folder);
  return { folder, write, build, builds: () => readdir(join(folder, 'data', 'web')) };
}

describe('web build', () => {
  test('is made once, by two starts at once alike, with compressed copies beside the files', async () => {
    const { build, builds } = await repository();
    const [first, second] = await Promise.all([build(), build()]);
    expect(second).toBe(first);
    expect(await build()).toBe(first);
    expect(await builds()).toHaveLength(1);
    const files = await readdir(first, { recursive: true });
    const name = files.find((file) => file.endsWith('.js')) ?? '';
    const content = await readFile(join(first, name));
    expect(gunzipSync(await readFile(join(first, `${name}.gz`))).equals(content)).toBe(true);
    expect(brotliDecompressSync(await readFile(join(first, `${name}.br`))).equals(content)).toBe(true);
  });

  test('is made anew when a source of web or domain changes, not when a test does; the newest three are kept', async () => {
    const { write, build, builds } = await repository();
    const first = await build();
    await write('web/main.test.ts', 'a test');
    expect(await build()).toBe(first);
    const later: string[] = [];
    for (const text of ['export const a = 1;', 'export const b = 1;', 'export const c = 1;']) {
      await write('domain/words.ts', text);
      later.push(await build());
    }
    expect(new Set([first, ...later]).size).toBe(4);
    expect((await builds()).sort()).toEqual(later.map((path) => path.slice(-16)).sort());
  });

  test('that fails says why in readable words and leaves nothing behind', async () => {
    const { write, build, builds } = await repository();
    await write('web/main.ts', `import './missing.ts';`);
    const fault = await build().catch((error: Error) => error.message);
    expect(fault).toMatch(/^The pages could not be built:\n[\s\S]*Could not resolve '\.\/missing\.ts'/);
    expect(fault).not.toContain('\x1b');
    expect(await builds()).toEqual([]);
  });
});
