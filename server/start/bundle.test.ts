import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { bundleFolder } from '../platform/bundle.ts';
import { buildFolder } from './builder.ts';
import { bundlesFolder, currentName, findBundle, type Sources, sourcesName, stateOf } from './find-bundle.ts';
import { temporaryFolder } from './testing.ts';

/** A repository with one source, and the bundle of it. */
async function bundled() {
  const root = await temporaryFolder();
  const bundles = join(root, 'bundles');
  const source = join(root, 'source.ts');
  await mkdir(join(bundles, 'one'), { recursive: true });
  await writeFile(source, 'export const a = 1;');
  const state = stateOf(source);
  const note = async (repository: string) => {
    const sources: Sources = { repository, files: { 'source.ts': state } };
    await writeFile(join(bundles, 'one', sourcesName), JSON.stringify(sources));
  };
  await note(root);
  await writeFile(join(bundles, currentName), 'one');
  return { root, bundles, source, note, find: () => findBundle(bundles, root) };
}

describe('a start runs from the bundle of the sources as they are', () => {
  test('the one that tests run from was made of this repository', () => {
    expect(findBundle()?.startsWith(bundlesFolder)).toBe(true);
  });

  test('it is found again and again', async () => {
    const { find, bundles } = await bundled();
    expect(find()).toBe(join(bundles, 'one'));
    expect(find()).toBe(join(bundles, 'one'));
  });

  test.each<[string, (made: Awaited<ReturnType<typeof bundled>>) => Promise<void>]>([
    ['a source of another size', ({ source }) => writeFile(source, 'export const a = 10;')],
    ['a source of another time', ({ source }) => utimes(source, new Date(), new Date(1_700_000_000_000))],
    ['a source that is gone', ({ source }) => rm(source)],
    ['a repository that was copied with its bundle', ({ note }) => note('/somewhere/else')],
    ['a bundle that is gone', ({ bundles }) => rm(join(bundles, 'one'), { recursive: true })],
    ['half a list', ({ bundles }) => writeFile(join(bundles, 'one', sourcesName), '{"repository":')],
    ['no bundle at all', ({ bundles }) => rm(bundles, { recursive: true })],
  ])('not with %s', async (_, change) => {
    const made = await bundled();
    await change(made);
    expect(made.find()).toBeUndefined();
  });

  test('processes that start after the bundle was removed run the sources', async () => {
    const { bundles } = await bundled();
    vi.stubEnv('TELLTALE_BUNDLE', join(bundles, 'one'));
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(bundleFolder()).toBe(join(bundles, 'one'));
    await rm(bundles, { recursive: true });
    expect(bundleFolder()).toBeUndefined();
  });

  test('a build that is ended leaves nothing behind', async () => {
    const folder = await temporaryFolder();
    const script = join(folder, 'endless.mjs');
    await writeFile(script, "import { mkdirSync } from 'node:fs'; mkdirSync(process.argv[2]); setInterval(() => {}, 1000);");
    const quit = new AbortController();
    const building = buildFolder(join(folder, 'builds', 'one'), { what: 'It', script, signal: quit.signal });
    building.catch(() => {});
    await expect.poll(() => readdir(join(folder, 'builds')).catch(() => [])).toHaveLength(1);
    quit.abort();
    await expect(building).rejects.toThrow('It could not be built');
    expect(await readdir(join(folder, 'builds'))).toEqual([]);
  });
});
