import { randomBytes } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces a file so that a crash leaves either the old or the new text, never a half of it. */
export async function replaceFile(path: string, text: string, mode = 0o600): Promise<void> {
  const draft = await writeDraft(path, text, mode);
  await rename(draft, path);
  await syncFolder(dirname(path));
}

/** Makes a complete file in one step; false when somebody else's file is already there. */
export async function createFileOnce(path: string, text: string, mode = 0o600): Promise<boolean> {
  const draft = await writeDraft(path, text, mode);
  try {
    await link(draft, path); // unlike rename, a link never replaces
    await syncFolder(dirname(path));
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** A rename survives a power cut only when its folder has reached the disk. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return; // a folder cannot be opened there
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

async function writeDraft(path: string, text: string, mode: number): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const file = await open(draft, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}
