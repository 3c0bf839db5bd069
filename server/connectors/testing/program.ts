import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closedPort } from './cutting-proxy.ts';

const folders = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin', '/opt/homebrew/bin'];

/** Where an installed program is, if it is. */
export const findProgram = (name: string): string | undefined =>
  folders.map((folder) => join(folder, name)).find((path) => existsSync(path));

export interface Program {
  port: number;
  /** Its own, and gone with it. */
  folder: string;
  stop(): Promise<void>;
}

/** A real server on a free port of the loopback with a folder of its own, ready when `isReady` says so. */
export async function startProgram(
  path: string,
  prepare: (at: { port: number; otherPort: number; folder: string }) => Promise<string[]>,
  isReady: (port: number) => Promise<boolean>,
): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-test-'));
  const [port, otherPort] = [await closedPort(), await closedPort()];
  const child = spawn(path, await prepare({ port, otherPort, folder }), { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output = (output + text).slice(-4000)));
  const stop = async () => {
    await ended(child);
    await rm(folder, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) break;
    if (await isReady(port).catch(() => false)) return { port, folder, stop };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop();
  throw new Error(`${path} did not start:\n${output}`);
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const forced = setTimeout(() => child.kill('SIGKILL'), 5000);
    child.once('exit', () => {
      clearTimeout(forced);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

export const isOk = async (url: string): Promise<boolean> => (await fetch(url)).ok;
