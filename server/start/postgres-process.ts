import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, renameSync, statSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type SystemUser, spawnAs } from './folder-access.ts';
import { binary, type PostgresBinaries } from './postgres-binaries.ts';
import { findWhereabouts, isAlive, waitUntilGone } from './process-identity.ts';
import { StartError } from './start-error.ts';

const rotateAtBytes = 10 * 1024 * 1024;

/** What PostgreSQL itself writes down about a running server. */
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

/** The live server of this very cluster. A note left by a dead one, or whose pid belongs to another program by now, is removed. */
export async function findServer(folder: string): Promise<ServerNote | undefined> {
  const note = await readServerNote(folder);
  if (!note) return undefined;
  if (isAlive(note.pid) && (await servesCluster(note.pid, folder))) return note;
  await rm(join(folder, 'postmaster.pid'), { force: true }); // PostgreSQL would refuse to start for any live process of that number
  return undefined;
}

/** PostgreSQL works in its cluster folder. Two servers on one cluster destroy it, so a process we may not look at stops the start. */
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
  logFile: string;
  user?: SystemUser;
}): ChildProcess {
  const settings = Object.entries(options.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openLog(options.logFile);
  try {
    const server = spawn(binary(options.binaries, 'postgres'), ['-D', options.folder, ...settings], {
      cwd: options.folder,
      detached: true,
      stdio: ['ignore', log, log],
      env: { LC_ALL: 'C', TZ: 'UTC' }, // nothing of ours: it may hold secrets
      ...spawnAs(options.user),
    });
    server.on('error', () => {}); // seen as an exit by whoever waits
    server.unref();
    return server;
  } finally {
    closeSync(log);
  }
}

/** Fast shutdown; a server that does not obey is stopped by force and recovers at its next start. */
export async function stopServer(pid: number, patienceMs = 10_000): Promise<boolean> {
  for (const name of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    signal(pid, name);
    if (await waitUntilGone(pid, patienceMs)) return true;
  }
  return false;
}

/**
 * Below the range from which systems take the ports of outgoing connections: those could take ours while
 * the server restarts, and a client that knocks on a closed port of that range can end up talking to itself.
 */
export async function chooseServerPort(): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const port = 15_000 + Math.floor(Math.random() * 17_000);
    if (await isFree(port)) return port;
  }
  throw new Error('No free port for PostgreSQL was found.');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });
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
