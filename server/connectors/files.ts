import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep, win32 } from 'node:path';
import { QueryError } from './connector.ts';

export interface FoundPath {
  /** Without links. */
  path: string;
  isFolder: boolean;
}

/** File sources have nothing to allow: their engines open what they read for reading only. */
export const readOnlyFileMessage = 'This data source is read-only.';

/**
 * Design 8: file sources read what lies in one folder, by a path relative to it. Links are followed first, so that
 * none leads out; what is neither a file nor a folder (a pipe would never end) is refused. Messages hold only what was typed.
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
