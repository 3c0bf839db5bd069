import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep, win32 } from 'node:path';
import { QueryError } from './connector.ts';

export interface FoundPath {
  /** The real path, without links. */
  path: string;
  isFolder: boolean;
}

/** File sources cannot allow writes: their engines open files for reading only. */
export const readOnlyFileMessage = 'This data source is read-only.';

/**
 * Design 8: file sources read files in one folder, by a relative path. Links are resolved first, so that none leads out; only files and
 * folders are accepted (a pipe would never end). Messages contain only the typed path.
 */
export async function requirePath(filesFolder: string, typed: string): Promise<FoundPath> {
  const parts = typed.split(/[/\\]/);
  const isPlain =
    !isAbsolute(typed) && !win32.isAbsolute(typed) && !/^[a-z]:/i.test(typed) && !typed.includes('\0') && !parts.includes('..');
  if (!isPlain) throw new QueryError(`'${typed}' is not a path inside the folder for files.`);
  const none = new QueryError(`There is no '${typed}' in the folder for files.`);
  const folder = await realpath(filesFolder).catch(() => Promise.reject(none));
  const path = await realpath(join(folder, typed)).catch(() => Promise.reject(none));
  if (!isInside(folder, path)) throw new QueryError(`'${typed}' leads out of the folder for files.`);
  const found = await stat(path).catch(() => Promise.reject(none));
  if (!found.isFile() && !found.isDirectory()) throw new QueryError(`'${typed}' is not a file.`);
  return { path, isFolder: found.isDirectory() };
}

export async function requireFile(filesFolder: string, typed: string): Promise<string> {
  const { path, isFolder } = await requirePath(filesFolder, typed);
  if (isFolder) throw new QueryError(`'${typed}' is not a file.`);
  return path;
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
