import { randomBytes } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

interface Keeping {
  /** False for data that is worthless after a crash of the machine: waiting for a busy disk can take a second. */
  durable?: boolean;
}

/** Replaces a file so that a crash leaves either the old or the new text, never a half of it. */
export async function replaceFile(path: string, text: string, { durable = true }: Keeping = {}): Promise<void> {
  const draft = await writeDraft(path, text, durable);
  await rename(draft, path);
  if (durable) await syncFolder(dirname(path));
}

/** Makes a complete file in one step; false when the file already exists. */
export async function createFileOnce(path: string, text: string, { durable = true }: Keeping = {}): Promise<boolean> {
  const draft = await writeDraft(path, text, durable);
  try {
    await link(draft, path); // unlike rename, a link never replaces
    if (durable) await syncFolder(dirname(path));
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

async function writeDraft(path: string, text: string, durable: boolean): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(text);
    if (durable) await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}
