import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, renameSync, statSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type SystemUser, spawnAs } from './folder-access.ts';
import { withMemoryBound } from './memory-bound.ts';
import { binary, type PostgresBinaries } from './postgres-binaries.ts';
import { findWhereabouts, isAlive, waitUntilGone } from './process-identity.ts';
import { StartError } from './start-error.ts';

const rotateAtBytes = 10 * 1024 * 1024;

/** The facts that PostgreSQL itself records about a running server. */
export interface ServerNote {
  pid: number;
  port: number;
  status: string;
}

export async function readServerNote(folder: string): Promise<ServerNote | undefined> {
  const lines = (await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid > 0 ? { pid, port, status: lines[7]?.trim() ?? '' } : undefined;
}

/** The live server of this cluster. A pid file left by a dead one, or whose pid belongs to another program by now, is removed. */
export async function findServer(folder: string): Promise<ServerNote | undefined> {
  const note = await readServerNote(folder);
  if (!note) return undefined;
  if (isAlive(note.pid) && (await servesCluster(note.pid, folder))) return note;
  await rm(join(folder, 'postmaster.pid'), { force: true }); // PostgreSQL would refuse to start for any live process of that number
  return undefined;
}

/** PostgreSQL works in its cluster folder. Two servers on one cluster destroy it, so a process that cannot be inspected stops the start. */
async function servesCluster(pid: number, cluster: string): Promise<boolean> {
  const { folder, command } = await findWhereabouts(pid);
  if (folder !== undefined) return folder === cluster;
  if (command) return command.includes(cluster);
  const file = join(cluster, 'postmaster.pid');
  throw new StartError(`Process ${pid} may be serving the database in ${cluster}. Stop it, or remove ${file} if it is another program.`);
}

/** Starts the server in a session of its own, so that Ctrl-C in a terminal does not reach it before our roles have stopped. */
export function spawnServer(options: {
  binaries: PostgresBinaries;
  folder: string;
  settings: Record<string, string | number>;
  backendBytes: number;
  logFile: string;
  user?: SystemUser;
}): ChildProcess {
  const settings = Object.entries(options.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openLog(options.logFile);
  try {
    const [command, args] = withMemoryBound(
      binary(options.binaries, 'postgres'),
      ['-D', options.folder, ...settings],
      options.backendBytes,
    );
    const server = spawn(command, args, {
      cwd: options.folder,
      detached: true,
      stdio: ['ignore', log, log],
      env: { LC_ALL: 'C', TZ: 'UTC' }, // none of our own variables, which may hold secrets
      ...spawnAs(options.user),
    });
    server.on('error', () => {}); // the waiting code sees it as an exit
    server.unref();
    return server;
  } finally {
    closeSync(log);
  }
}

/** Fast shutdown; a server that does not stop in time is killed and recovers at its next start. */
export async function stopServer(pid: number, timeoutMs = 10_000): Promise<boolean> {
  for (const name of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    signal(pid, name);
    if (await waitUntilGone(pid, timeoutMs)) return true;
  }
  return false;
}

function openLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > rotateAtBytes) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // gone already
  }
}
