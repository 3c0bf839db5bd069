import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { rolesOf, runsBundle } from '../testing/processes.ts';
import { untilFound } from '../testing/until.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { readServerNote } from './postgres-process.ts';
import { isAlive } from './process-identity.ts';
import { temporaryFolder } from './testing.ts';

/** Plain node runs the start here: Vitest transforms files that node would refuse. */
const main = join(import.meta.dirname, '..', 'main.ts');

interface Console {
  process: ChildProcess & { pid: number };
  said: () => string;
  ended: Promise<number | null>;
}

function run(dataFolder: string, settings: Record<string, string> = {}, words: string[] = [], command = [process.execPath, main]): Console {
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    TELLTALE_DATA: dataFolder,
    MQTT_PORT: '0',
    TELLTALE_LOG: 'warn',
    ...runsBundle(),
    ...settings,
  };
  const child = spawn(command[0] ?? '', [...command.slice(1), ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] }) as ChildProcess & {
    pid: number;
  };
  let said = '';
  child.stdout?.on('data', (chunk) => (said += chunk));
  child.stderr?.on('data', (chunk) => (said += chunk));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  return { process: child, said: () => said, ended };
}

async function address(console: Console): Promise<string> {
  const found = await untilFound('the banner is printed', 60_000, async () => {
    if (console.process.exitCode !== null) throw new Error(`ended before it was ready: ${console.said()}`);
    return /Console\s+(http\S+)/.exec(console.said())?.[1];
  });
  return found;
}

const answer = (url: string) => fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);

async function allGone(pids: number[]): Promise<void> {
  await untilFound(`${pids} are gone`, 60_000, async () => !pids.some(isAlive));
}

describe('npm start', () => {
  test('from the sources: serves, brings back a killed role on the same address, survives kill -9 of the parent, and stops without a trace', async () => {
    const data = join(await temporaryFolder(), 'data');
    // Journeys in the browser use built pages; building them once more would take ten seconds.
    const settings = { TELLTALE_DEV: '1', TELLTALE_BUNDLE: '' };
    const first = run(data, settings);
    const url = await address(first);
    expect(await (await answer(`${url}/ping`))?.text()).toBe('PONG.');
    await untilFound('it is ready', 60_000, async () => (await answer(`${url}/readyz`))?.ok);

    const roles = rolesOf(first.process.pid);
    expect(Object.keys(roles).sort()).toEqual(['ingest', 'web', 'worker']);
    process.kill(roles.web ?? 0, 'SIGKILL');
    await untilFound('the role is back', 60_000, async () => (await answer(`${url}/ping`))?.ok);
    expect(rolesOf(first.process.pid).web).not.toBe(roles.web);

    const rival = run(data, settings);
    expect(await rival.ended).toBe(1);
    expect(rival.said().trim()).toBe(
      `The data folder ${data} is in use by process ${first.process.pid}. Stop it first, or set TELLTALE_DATA to another folder.`,
    );

    const orphans = Object.values(rolesOf(first.process.pid));
    const database = await readServerNote(join(data, 'postgres-18'));
    first.process.kill('SIGKILL');
    const second = run(data, { ...settings, PORT: new URL(url).port }); // at once, while the killed parent's web role still holds the port
    expect(await address(second)).toBe(url);
    await allGone(orphans);
    expect((await readServerNote(join(data, 'postgres-18')))?.pid).toBe(database?.pid);
    await untilFound('it is ready', 60_000, async () => (await answer(`${url}/readyz`))?.ok);

    const everything = [...Object.values(rolesOf(second.process.pid)), database?.pid ?? 0];
    second.process.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    expect(everything.filter(isAlive)).toEqual([]);
    expect(await readdir(data)).not.toContain('telltale.pid');
  });

  test('Ctrl-C arrives twice under npm and still stops in order', async () => {
    const data = join(await temporaryFolder(), 'data');
    const console = run(data, { TELLTALE_DEV: '1' });
    await address(console);
    const everything = Object.values(rolesOf(console.process.pid));
    for (const pid of [console.process.pid, ...everything]) process.kill(pid, 'SIGINT'); // the terminal's
    console.process.kill('SIGINT'); // npm's
    expect(await console.ended).toBe(0);
    expect(everything.filter(isAlive)).toEqual([]);
    expect(console.said()).not.toMatch(/"level":"(error|fatal)"/);
  });

  test('a stop of npm ends only its shell, and everything stops all the same', async () => {
    const data = join(await temporaryFolder(), 'data');
    const command = ['sh', '-c', `"${process.execPath}" "${main}"; true`];
    const npm = run(data, { TELLTALE_DEV: '1', npm_lifecycle_event: 'start' }, [], command);
    await address(npm);
    const parent = Number.parseInt(await readFile(join(data, 'telltale.pid'), 'utf8'), 10);
    const database = await readServerNote(join(data, 'postgres-18'));
    const everything = [parent, ...Object.values(rolesOf(parent)), database?.pid ?? 0];
    npm.process.kill('SIGTERM');
    await allGone(everything);
    expect(await readdir(data)).not.toContain('telltale.pid');
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)('%s in the middle of the first start leaves nothing half-made', async (signal) => {
    const data = join(await temporaryFolder(), 'data');
    const interrupted = run(data, { TELLTALE_DEV: '1' });
    await untilFound('the cluster is being made', 60_000, async () =>
      (await readdir(data).catch(() => [])).some((name) => name.endsWith('.tmp') && name.startsWith('postgres-18.')),
    );
    interrupted.process.kill(signal);
    expect(await interrupted.ended).toBe(signal === 'SIGTERM' ? 0 : null);
    const next = run(data, { TELLTALE_DEV: '1' });
    expect((await answer(`${await address(next)}/ping`))?.ok).toBe(true);
    next.process.kill('SIGTERM');
    expect(await next.ended).toBe(0);
  });

  test('an external database is used as it is, and one role may run alone', async () => {
    const folder = await temporaryFolder();
    const server = await startEmbeddedPostgres({ dataFolder: join(folder, 'server'), durable: false });
    onTestFinished(() => server.stop());
    const console = run(join(folder, 'data'), { DATABASE_URL: server.url, TELLTALE_DEV: '1' }, ['web']);
    expect((await answer(`${await address(console)}/ping`))?.ok).toBe(true);
    expect(Object.keys(rolesOf(console.process.pid))).toEqual(['web']);
    expect(console.said()).toContain(`PostgreSQL at 127.0.0.1:${server.port}/telltale`);
    expect(await readdir(join(folder, 'data'))).not.toContain('postgres-18');
    console.process.kill('SIGTERM');
    expect(await console.ended).toBe(0);
    expect(isAlive(server.pid)).toBe(true);
  });

  test('impossible settings are reported in one line before anything is created', async () => {
    const folder = await temporaryFolder();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as { port: number };
    const faults = [
      {
        console: run(join(folder, 'a'), { PORT: String(port) }),
        code: 1,
        line: `Port ${port} on 127.0.0.1 is already in use. Set PORT to another one.`,
      },
      { console: run(join(folder, 'b'), { PORT: 'many' }), code: 1, line: 'These settings cannot be used: PORT must be a port number.' },
      { console: run(join(folder, 'c'), {}, ['wbe']), code: 2, line: expect.stringMatching(/^usage: node server\/main\.ts .*$/) },
    ];
    for (const { console, code, line } of faults) {
      expect(await console.ended).toBe(code);
      expect(console.said().trim()).toEqual(line);
    }
    expect(await readdir(folder)).toEqual([]);
  });
});
