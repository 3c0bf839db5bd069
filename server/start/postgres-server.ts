import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../platform/log.ts';
import { freePort } from './ports.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import type { ClusterPlace } from './postgres-place.ts';
import { findServer, readServerNote, type ServerNote, spawnServer, stopServer } from './postgres-process.ts';
import { StartError } from './start-error.ts';

export interface ServerOptions {
  place: ClusterPlace;
  binaries: PostgresBinaries;
  logFile: string;
  durable: boolean;
  /** The limit of private memory of one of its processes; 0 means no limit. */
  backendBytes: number;
  log?: Logger;
}

export interface Server {
  pid: number;
  port: number;
  adopted: boolean;
}

/** Temporary faults: another process took the port, or processes of a killed server are still ending. */
const passing = /could not bind|Address already in use|shared memory block|lock file/;

/** Takes over the server that a killed parent left running, if it is ours and answers; otherwise starts one. */
export async function findOrStartServer(options: ServerOptions): Promise<Server> {
  const orphan = await findServer(options.place.folder);
  if (orphan) {
    if (await isOurs(orphan, options)) return { pid: orphan.pid, port: orphan.port, adopted: true };
    options.log?.warn({ pid: orphan.pid }, 'stopping a PostgreSQL that an earlier start left behind');
    if (!(await stopServer(orphan.pid, 5000))) {
      throw new StartError(`An earlier PostgreSQL (process ${orphan.pid}) still holds ${options.place.folder} and does not stop.`);
    }
  }
  return startServer(options);
}

/** Starts a server and waits until it accepts connections, however long its recovery lasts. */
export async function startServer(options: ServerOptions, samePort?: number): Promise<Server> {
  const deadline = performance.now() + 5000;
  for (;;) {
    const port = samePort ?? (await freePort());
    const logStart = (await stat(options.logFile).catch(() => undefined))?.size ?? 0;
    const child = spawnServer({ ...options, ...options.place, settings: { port, ...settingsOf(options) } });
    if (await isReady(child, options)) return { pid: child.pid ?? 0, port, adopted: false };
    const said = await readFrom(options.logFile, logStart);
    if (!passing.test(said) || performance.now() > deadline) {
      throw new StartError(`PostgreSQL did not start: ${said.trim() || 'it ended without a word'} (see ${options.logFile})`);
    }
    await sleep(200);
  }
}

async function isReady(child: ChildProcess, { place, log }: ServerOptions): Promise<boolean> {
  const begun = performance.now();
  for (let told = 0; child.pid && child.exitCode === null && child.signalCode === null; await sleep(10)) {
    const note = await readServerNote(place.folder);
    if (note?.pid === child.pid && note.status === 'ready') return true;
    const seconds = Math.floor((performance.now() - begun) / 10_000) * 10;
    if (seconds > told) log?.info({ seconds }, 'PostgreSQL is recovering after an unclean stop');
    told = seconds;
  }
  return false;
}

/** An orphan is ours when it accepts our password, serves our cluster and runs with the current settings. */
async function isOurs({ port }: ServerNote, options: ServerOptions): Promise<boolean> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password: options.place.credentials.superuserPassword,
    database: 'postgres',
    connectionTimeoutMillis: 3000,
    query_timeout: 3000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ folder: string; name: string }>(
      `select current_setting('data_directory') as folder, current_setting('cluster_name') as name`,
    );
    return rows[0]?.folder === options.place.folder && rows[0].name === settingsOf(options).cluster_name;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

function settingsOf({ durable, binaries, backendBytes }: ServerOptions) {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    password_encryption: 'scram-sha-256',
    max_connections: 200,
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    wal_compression: 'on',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'log', // analysts see the errors of their statements themselves, so these need not fill our disk
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
  };
  const stamp = createHash('sha256')
    .update(JSON.stringify([binaries, settings, backendBytes]))
    .digest('hex')
    .slice(0, 8);
  return { ...settings, cluster_name: `telltale-${stamp}` };
}

async function readFrom(path: string, position: number): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(4000), position });
    return buffer.subarray(0, bytesRead).toString();
  } finally {
    await file.close();
  }
}
