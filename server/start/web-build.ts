import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { hasCode } from './atomic-file.ts';
import { StartError } from './start-error.ts';

const ours = join(import.meta.dirname, '..', '..');
const builder = join(import.meta.dirname, 'build-web.ts');
const keptBuilds = 3;
const abandonedAfterMs = 3_600_000;

/** Shows that pages are being built; called only during a build. */
type WhileBuilding = (building: Promise<void>) => Promise<void>;

/**
 * The folder of the built pages. A build is named after its sources, so it is made once, concurrent starts do not disturb each other, and
 * going back to an earlier version finds its pages again.
 */
export async function ensureWebBuild(dataFolder: string, during: WhileBuilding, repository = ours): Promise<string> {
  const builds = join(dataFolder, 'web');
  const build = join(builds, await hashSources(repository));
  if (await isPresent(join(build, 'index.html'))) {
    await utimes(build, new Date(), new Date()).catch(() => {}); // marks the build in use as the newest
    return build;
  }
  await mkdir(builds, { recursive: true });
  const draft = `${build}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await during(runBuilder([join(repository, 'web'), draft, join(dataFolder, 'cache', 'vite')]));
    await rename(draft, build).catch((error: unknown) => {
      if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error; // another start was quicker with the same build
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await removeOldBuilds(builds);
  return build;
}

/** Builds in a process of its own: the bundler takes much memory, which is free again afterwards. */
function runBuilder(folders: string[]): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [builder, ...folders], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'], // the builder ends when the channel closes
    });
    let said = '';
    const collect = (chunk: Buffer) => {
      said += chunk.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.once('error', fail);
    child.once('close', (code, signal) => {
      const killed = signal ? `The builder was ended by ${signal}; it needs about 1 GB of memory.\n` : '';
      if (code === 0) done();
      else fail(new StartError(`The pages could not be built:\n${killed}${stripVTControlCharacters(said).trim()}`.trim()));
    });
  });
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

async function removeOldBuilds(builds: string): Promise<void> {
  const names = await readdir(builds);
  const aged = await Promise.all(
    names.map(async (name) => ({ name, changed: (await stat(join(builds, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  const finished = aged.filter(({ name }) => !name.endsWith('.tmp')).sort((a, b) => b.changed - a.changed);
  const abandoned = aged.filter(({ name, changed }) => name.endsWith('.tmp') && changed < Date.now() - abandonedAfterMs);
  const superfluous = [...finished.slice(keptBuilds), ...abandoned];
  await Promise.all(superfluous.map(({ name }) => rm(join(builds, name), { recursive: true, force: true })));
}

const isPresent = async (path: string) => (await stat(path).catch(() => undefined)) !== undefined;
