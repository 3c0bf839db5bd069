import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { hasCode } from './atomic-file.ts';
import { StartError } from './start-error.ts';

const keptBuilds = 3;
const abandonedAfterMs = 3_600_000;

interface Build {
  /** Named in the message of a failure. */
  what: string;
  /** A program that gets the path of the folder to fill, and then `args`. */
  script: string;
  args?: string[];
  /** Ends the build. */
  signal?: AbortSignal;
  /** The build gets what others leave of the processors. */
  isInBackground?: boolean;
}

/**
 * Fills a folder by a script. It appears when it is complete, so concurrent starts do not disturb each other; the newest three of its
 * neighbours are kept.
 */
export async function buildFolder(folder: string, build: Build): Promise<void> {
  const builds = dirname(folder);
  await mkdir(builds, { recursive: true });
  const draft = `${folder}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await runScript(draft, build);
    await rename(draft, folder).catch((error: unknown) => {
      if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error; // another start was quicker with the same build
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await removeOldBuilds(builds);
}

/** Builds in a process of its own: a bundler takes much memory, which is free again afterwards. */
function runScript(target: string, { what, script, args = [], signal, isInBackground }: Build): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [script, target, ...args], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'], // the script ends when the channel closes
    });
    const kill = () => void child.kill('SIGKILL');
    signal?.addEventListener('abort', kill);
    if (signal?.aborted) kill(); // the stop came before the listener
    if (isInBackground) giveWay(child.pid);
    let said = '';
    const collect = (chunk: Buffer) => {
      said += chunk.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.once('error', fail);
    child.once('close', (code, endedBy) => {
      signal?.removeEventListener('abort', kill);
      const killed = endedBy ? `The builder was ended by ${endedBy}; it needs about 1 GB of memory.\n` : '';
      if (code === 0) done();
      else fail(new StartError(`${what} could not be built:\n${killed}${stripVTControlCharacters(said).trim()}`.trim()));
    });
  });
}

function giveWay(pid: number | undefined): void {
  try {
    if (pid) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {} // it has ended, or the system does not allow it
}

async function removeOldBuilds(builds: string): Promise<void> {
  const folders = (await readdir(builds, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const aged = await Promise.all(
    folders.map(async ({ name }) => ({ name, changed: (await stat(join(builds, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  const finished = aged.filter(({ name }) => !name.endsWith('.tmp')).sort((a, b) => b.changed - a.changed);
  const abandoned = aged.filter(({ name, changed }) => name.endsWith('.tmp') && changed < Date.now() - abandonedAfterMs);
  const superfluous = [...finished.slice(keptBuilds), ...abandoned];
  await Promise.all(superfluous.map(({ name }) => rm(join(builds, name), { recursive: true, force: true })));
}
