import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../start/ports.ts';
import { getPostgresPackage, prepareBinaries } from '../start/postgres-binaries.ts';
import { chooseClusterPlace } from '../start/postgres-place.ts';
import { spawnServer, stopServer } from '../start/postgres-process.ts';
import type { TestPostgres } from './postgres.ts';
import { until } from './until.ts';

export interface TestReplica {
  /** The same address at the replica. */
  urlOf(primaryUrl: string): string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
}

const run = promisify(execFile);

/**
 * A streaming replica of a test's own server. The binaries of npm have no pg_basebackup, so the copy is made the way the manual
 * describes for backups by hand: pg_backup_start, the files, pg_backup_stop and its label.
 */
export async function makeReplica(primary: TestPostgres): Promise<TestReplica> {
  const place = await chooseClusterPlace(primary.dataFolder);
  const binaries = await prepareBinaries(await getPostgresPackage(), place.home, place.user);
  const home = await mkdtemp(`${place.folder}-replica-`);
  const folder = join(home, 'cluster');
  await copyCluster(primary, place.folder, folder);
  const owner = `${place.user?.uid ?? process.getuid?.()}:${place.user?.gid ?? process.getgid?.()}`;
  await run('chown', ['-R', owner, home]);
  const port = await freePort();
  const urlOf = (primaryUrl: string) => {
    const url = new URL(primaryUrl);
    url.port = String(port);
    return url.toString();
  };
  let pid = 0;
  const start = async () => {
    const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 200, fsync: 'off' };
    const logFile = join(dirname(home), 'replica.log');
    const child = spawnServer({ binaries, folder, settings, backendBytes: 0, logFile, user: place.user });
    pid = child.pid ?? 0;
    if (!(await until(() => isAnswering(urlOf(primary.superuserUrl)), Boolean)))
      throw new Error(`The replica did not start: see ${logFile}`);
  };
  const stop = async () => {
    if (pid) await stopServer(pid);
    pid = 0;
  };
  await start();
  return {
    urlOf,
    start,
    stop,
    async remove() {
      await stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function copyCluster({ superuserUrl }: TestPostgres, from: string, to: string): Promise<void> {
  const client = new pg.Client(superuserUrl);
  await client.connect();
  try {
    await client.query(`select pg_backup_start('replica', true)`);
    // Files may go while they are copied; the log that follows makes up for that.
    await run('cp', ['-R', from, to]).catch(() => {});
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
  for (const left of ['postmaster.pid', 'postmaster.opts']) await rm(join(to, left), { force: true });
  await rm(join(to, 'pg_wal'), { recursive: true, force: true });
  await mkdir(join(to, 'pg_wal', 'archive_status'), { recursive: true, mode: 0o700 });
  await writeFile(join(to, 'standby.signal'), '');
  const { hostname, port, username, password } = new URL(superuserUrl);
  await appendFile(
    join(to, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}'\n`,
  );
}

async function isAnswering(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
