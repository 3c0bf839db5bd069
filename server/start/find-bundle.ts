import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const repository = join(import.meta.dirname, '..', '..');
/** Bundles lie beside the packages that they load, because they are as trusted as the code; an installation of packages removes them. */
export const bundlesFolder = join(repository, 'server', 'node_modules', '.cache', 'telltale', 'bundles');
/** The file that names the newest bundle, and the one in each bundle that lists what it was made of. */
export const currentName = 'current';
export const sourcesName = 'sources.json';

export type FileState = [size: number, changedSeconds: number];

/** Tells whether a bundle is that of the code as it is now: where the code lies, and size and time of each file. */
export interface Sources {
  repository: string;
  /** Whole seconds: images of containers keep no more of the time. */
  files: Record<string, FileState>;
}

/**
 * The folder with the server's code in few files, if they were made of the sources as they are now (bundle.ts makes them). A process loads
 * its 1,200 modules in 1.2 s, the same code from a bundle in 0.4 s. Synchronous, because nothing else can begin before.
 */
export function findBundle(bundles = bundlesFolder, root = repository): string | undefined {
  try {
    const folder = join(bundles, readFileSync(join(bundles, currentName), 'utf8'));
    const sources = JSON.parse(readFileSync(join(folder, sourcesName), 'utf8')) as Sources;
    // A bundle knows its sources by their full paths: that of a copied repository would read the files of the other one.
    if (sources.repository !== root) return undefined;
    return Object.entries(sources.files).every(([path, state]) => isUnchanged(join(root, path), state)) ? folder : undefined;
  } catch {
    return undefined; // none was made yet, or a source is gone
  }
}

function isUnchanged(path: string, [size, changedSeconds]: FileState): boolean {
  const now = stateOf(path);
  return now[0] === size && now[1] === changedSeconds;
}

export function stateOf(path: string): FileState {
  const { size, mtimeMs } = statSync(path);
  return [size, Math.floor(mtimeMs / 1000)];
}
