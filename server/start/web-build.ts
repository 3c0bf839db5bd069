import { createHash } from 'node:crypto';
import { readdir, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { buildFolder } from './builder.ts';

const ours = join(import.meta.dirname, '..', '..');
const builder = join(import.meta.dirname, 'build-web.ts');

/** Shows that pages are being built; called only during a build. */
type WhileBuilding = (building: Promise<void>) => Promise<void>;

/**
 * The folder of the built pages. A build is named after its sources, so it is made once, and going back to an earlier version finds its pages
 * again.
 */
export async function ensureWebBuild(dataFolder: string, during: WhileBuilding, repository = ours): Promise<string> {
  const build = join(dataFolder, 'web', await hashSources(repository));
  if (await isPresent(join(build, 'index.html'))) {
    await utimes(build, new Date(), new Date()).catch(() => {}); // marks the build in use as the newest
    return build;
  }
  const args = [join(repository, 'web'), join(dataFolder, 'cache', 'vite')];
  await during(buildFolder(build, { what: 'The pages', script: builder, args }));
  return build;
}

async function hashSources(repository: string): Promise<string> {
  const folders = await Promise.all(['web', 'domain'].map((folder) => listSources(join(repository, folder))));
  const single = [join(repository, 'package-lock.json'), join(repository, 'tsconfig.base.json'), builder];
  const files = [...folders.flat(), ...single].sort();
  const contents = await Promise.all(files.map((file) => readFile(file)));
  const hash = createHash('sha256');
  for (const [index, content] of contents.entries()) {
    hash.update(`${files[index]?.slice(repository.length)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}

async function listSources(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const nested = entries.map((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : listSources(path);
    return entry.isFile() && !/\.test\.tsx?$/.test(entry.name) ? [path] : [];
  });
  return (await Promise.all(nested)).flat();
}

const isPresent = async (path: string) => (await stat(path).catch(() => undefined)) !== undefined;
