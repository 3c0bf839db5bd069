import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isAlive } from '../../../server/start/process-identity.ts';
import { shareBuiltPages } from '../../../server/testing/built-pages.ts';
import { makeDataFolder } from '../../../server/testing/data-folder.ts';
import { familyOf } from '../../../server/testing/processes.ts';
import { until } from './until.ts';

const root = join(import.meta.dirname, '..', '..', '..');
export const artifacts = join(root, 'artifacts');

/** The one who has set up prepared consoles. */
export const firstAdmin = { name: 'admin', email: 'admin@telltale.example', password: 'the first administrator' };

export interface RunningConsole {
  url: string;
  pid: number;
  /** The one-time code, where nobody is administrator yet. */
  setupCode: string | undefined;
  folder: string;
  /** Resolves when it is gone, and its data folder with it; an error when it did not stop well or left a process behind. */
  stop(options?: { keepsFolder?: boolean }): Promise<void>;
}

/**
 * The product as `npm start` starts it, on a free port and a data folder of its own: an empty one, or a copy of another. Its log is
 * artifacts/e2e-<name>.log.
 */
export async function startConsole(name: string, settings: Record<string, string> = {}, copyOf?: string): Promise<RunningConsole> {
  const folder = await makeDataFolder(`e2e-${name}`);
  await chmod(folder, 0o755); // PostgreSQL of a root user runs as somebody else, who must get in
  if (copyOf === undefined) await shareBuiltPages(folder);
  else await copyWithOwners(copyOf, folder);
  const child = spawn(process.execPath, [join(root, 'server', 'main.ts')], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: '0', MQTT_PORT: '0', TELLTALE_DATA: folder, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = keepLog(child, join(artifacts, `e2e-${name}.log`));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const pid = child.pid ?? 0;
  // A file that fails before its first test runs no hooks.
  const end = () => void child.kill('SIGTERM');
  process.once('exit', end);

  const stop = async ({ keepsFolder = false } = {}) => {
    const family = familyOf(pid);
    child.kill('SIGTERM');
    const code = await ended;
    process.off('exit', end);
    const left = family.filter(isAlive);
    if (!keepsFolder) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    if (code !== 0 || left.length > 0) throw new Error(`The ${name} console ended with ${code} and left ${left.length} processes: ${left}`);
  };

  try {
    const url = await until('the console prints its address', 90_000, async () => {
      if (child.exitCode !== null || said().includes('the role cannot go on')) throw new Error('it cannot start');
      return /Console\s+(http\S+)/.exec(said())?.[1];
    });
    await until('the console is ready', 60_000, async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok);
    return { url, pid, folder, setupCode: /One-time code\s+(\S+)/.exec(said())?.[1], stop };
  } catch (error) {
    await stop().catch(() => {});
    throw new Error(`The ${name} console is not ready; it has said:\n${said().slice(-2000)}`, { cause: error });
  }
}

/** PostgreSQL of a root user owns its files: `cp` keeps owners, Node's copy does not. */
const copyWithOwners = (from: string, to: string) => promisify(execFile)('cp', ['-a', `${from}/.`, to]);

function keepLog(child: ChildProcess, path: string): () => string {
  const file = createWriteStream(path);
  let said = '';
  const keep = (chunk: Buffer) => {
    said += chunk;
    file.write(chunk);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  child.once('close', () => file.end());
  return () => said;
}
