import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../server/platform/is-alive.ts';
import { findBundle } from '../server/start/find-bundle.ts';
import { shareBuiltPages } from '../server/testing/built-pages.ts';
import { untilFound } from '../server/testing/until.ts';

export const account = { email: 'bench@example.com', password: 'a long password' };

export interface BenchServer {
  url: string;
  /** From the command to the first 200 of /readyz. */
  readyMs: number;
  pid: number;
  stop(): Promise<void>;
}

/** An empty folder, as a first start finds it. */
export async function withEmptyFolder<T>(work: (dataFolder: string) => Promise<T>): Promise<T> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'telltale-bench-'));
  try {
    return await work(dataFolder);
  } finally {
    await rm(dataFolder, { recursive: true, force: true });
  }
}

/** A folder for a console whose first start is not measured. */
export const withDataFolder = <T>(work: (dataFolder: string) => Promise<T>): Promise<T> =>
  withEmptyFolder(async (dataFolder) => {
    await shareBuiltPages(dataFolder);
    return work(dataFolder);
  });

/** The product as people start it, on its own data folder. */
export async function startServer(dataFolder: string, port: number, env: Record<string, string> = {}): Promise<BenchServer> {
  const startedAt = performance.now();
  const child = spawn('npm', ['start', '--silent'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    env: {
      ...process.env,
      PORT: String(port),
      MQTT_PORT: '0',
      TELLTALE_DATA: dataFolder,
      TELLTALE_ADMIN_EMAIL: account.email,
      TELLTALE_ADMIN_PASSWORD: account.password,
      TELLTALE_LOG: 'warn',
      ...env,
    },
  });
  child.stdout.resume();
  const url = `http://127.0.0.1:${port}`;
  await untilReady(child, url);
  const readyMs = performance.now() - startedAt;
  // A first start now makes the bundle for the next one, beside which nothing is measured.
  await untilFound('the bundle is made', 120_000, async () => findBundle());
  return { url, readyMs, pid: child.pid ?? 0, stop: () => stop(child) };
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  for (let attempt = 0; attempt < 6000; attempt++) {
    if (child.exitCode !== null) throw new Error('The server ended before it was ready.');
    const isReady = await fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isReady) return;
    await sleep(20);
  }
  throw new Error('The server was not ready in two minutes.');
}

/** npm goes before what it started: the data folder is free when the whole group is gone. */
async function stop({ pid = 0 }: ChildProcess): Promise<void> {
  process.kill(-pid, 'SIGTERM');
  while (isAlive(-pid)) await sleep(20);
}

/** The administrator's key, for calls without cookies. */
export async function signIn(url: string): Promise<string> {
  const login = await fetch(`${url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  const cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const session = (await (await fetch(`${url}/api/session`, { headers: { cookie } })).json()) as { user: { id: number } };
  const user = (await (await fetch(`${url}/api/users/${session.user.id}`, { headers: { cookie } })).json()) as { api_key: string };
  return user.api_key;
}

/** Runs a statement on the built-in source, never from the cache. */
export async function iotDataRunner(url: string, headers: Record<string, string>): Promise<(query: string) => Promise<void>> {
  const sources = (await (await fetch(`${url}/api/data_sources`, { headers })).json()) as { id: number; type: string }[];
  const data_source_id = sources.find(({ type }) => type === 'telltale')?.id;
  return async (query) => {
    const body = JSON.stringify({ data_source_id, query, max_age: 0 });
    const answer = await fetch(`${url}/api/query_results`, { method: 'POST', headers: { ...headers, prefer: 'wait=30' }, body });
    let { job, query_result } = (await answer.json()) as Ran;
    // The console answers after thirty seconds at the latest, whatever the statement does.
    while (!query_result && job && job.status < 3) {
      await sleep(100);
      ({ job } = (await (await fetch(`${url}/api/jobs/${job.id}`, { headers })).json()) as Ran);
    }
    if (!query_result && job?.status !== 3) throw new Error(`No result came: ${job?.error}`);
  };
}

interface Ran {
  job?: { id: string; status: number; error: string };
  query_result?: object;
}
