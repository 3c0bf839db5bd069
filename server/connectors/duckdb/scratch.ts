import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../platform/is-alive.ts';

const name = /^telltale-duckdb-(\d+)-/;

/** Creates a folder for data that does not fit into memory, removed after the statement. Folders of killed processes are removed first. */
export async function makeScratch(): Promise<{ folder: string; remove(): Promise<void> }> {
  await removeAbandoned();
  const folder = await mkdtemp(join(tmpdir(), `telltale-duckdb-${process.pid}-`));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }).catch(() => {}) };
}

async function removeAbandoned(): Promise<void> {
  const found = await readdir(tmpdir());
  const abandoned = found.filter((entry) => !isAlive(Number(name.exec(entry)?.[1] ?? process.pid)));
  for (const entry of abandoned) await rm(join(tmpdir(), entry), { recursive: true, force: true }).catch(() => {});
}
