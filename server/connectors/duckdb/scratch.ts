import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeAbandoned } from '../../platform/abandoned-folders.ts';

/** Done once by each process: one that replaces a killed process removes the folders of its predecessor. */
let cleaned: Promise<void> | undefined;

/** Creates a folder for data that does not fit into memory, removed after the statement. */
export async function makeScratch(): Promise<{ folder: string; remove(): Promise<void> }> {
  cleaned ??= removeAbandoned(tmpdir(), /^telltale-duckdb-(\d+)-/).catch(() => {});
  await cleaned;
  const folder = await mkdtemp(join(tmpdir(), `telltale-duckdb-${process.pid}-`));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }).catch(() => {}) };
}
