import { type ChildProcess, spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { onOrphanedByNpm } from '../server/start/orphaned.ts';

/** `npm run dev`: the server, restarted when its files change, beside Vite, which serves the pages as they are edited. */
const repository = join(import.meta.dirname, '..');
const settleMs = 150;

let server = startServer();
let isRestarting = false;
let isChanged = false;
let isStopping = false;

const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin', 'vite.js');
const pages = spawn(process.execPath, [vite, '--clearScreen', 'false', '--configLoader', 'native'], {
  cwd: join(repository, 'web'),
  stdio: 'inherit',
});
pages.once('exit', () => void stop());

for (const folder of ['server', 'domain']) watch(join(repository, folder), { recursive: true }, (_event, file) => changed(file));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
onOrphanedByNpm(() => void stop());

function startServer(): ChildProcess {
  const child = spawn(process.execPath, [join(repository, 'server', 'main.ts')], {
    cwd: repository,
    stdio: 'inherit',
    env: { ...process.env, TELLTALE_DEV: '1' },
  });
  child.once('exit', (code) => {
    if (code && !isStopping) console.log('The server ended; it is started again at the next change.');
  });
  return child;
}

function changed(file: string | null): void {
  if (!file || /\.test\.ts$|~$|\.swp$/.test(file)) return;
  isChanged = true;
  if (!isRestarting) void restart();
}

/** An editor writes several files at once: waits until it has finished, and repeats when more changed meanwhile. */
async function restart(): Promise<void> {
  isRestarting = true;
  while (isChanged && !isStopping) {
    isChanged = false;
    await new Promise((done) => setTimeout(done, settleMs));
    if (isChanged) continue;
    await end(server);
    if (!isStopping) server = startServer();
  }
  isRestarting = false;
}

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  pages.kill();
  await end(server);
  process.exit(0);
}

/** The server treats two signals within a second as one. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await gone;
}
