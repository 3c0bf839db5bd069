import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closedPort } from './cutting-proxy.ts';

const folders = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin', '/opt/homebrew/bin'];

/** The path of an installed program; undefined when it is missing. */
export const findProgram = (name: string): string | undefined =>
  folders.map((folder) => join(folder, name)).find((path) => existsSync(path));

export interface Program {
  port: number;
  /** The folder of the program, deleted when it stops. */
  folder: string;
  /** Kills it with SIGKILL and starts it again with the same folder and port. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a real server on a free port of the loopback with a folder of its own; resolves when `isReady` returns true. */
export async function startProgram(
  path: string,
  prepare: (at: { port: number; otherPort: number; folder: string }) => Promise<string[]>,
  isReady: (port: number) => Promise<boolean>,
): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-test-'));
  const [port, otherPort] = [await closedPort(), await closedPort()];
  const parameters = await prepare({ port, otherPort, folder });
  let output = '';
  const launch = () => {
    const started = spawn(path, parameters, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [started.stdout, started.stderr]) stream.on('data', (text) => (output = (output + text).slice(-4000)));
    return started;
  };
  let child = launch();
  const stop = async () => {
    await ended(child);
    await rm(folder, { recursive: true, force: true });
  };
  const ready = async () => {
    for (let tries = 0; tries < 300; tries++) {
      if (child.exitCode !== null) break;
      if (await isReady(port).catch(() => false)) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await stop();
    throw new Error(`${path} did not start:\n${output}`);
  };
  const crash = async () => {
    await ended(child, 'SIGKILL');
    child = launch();
    await ready();
  };
  await ready();
  return { port, folder, crash, stop };
}

function ended(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const forced = setTimeout(() => child.kill('SIGKILL'), 5000);
    child.once('exit', () => {
      clearTimeout(forced);
      resolve();
    });
    child.kill(signal);
  });
}

export const isOk = async (url: string): Promise<boolean> => (await fetch(url)).ok;
