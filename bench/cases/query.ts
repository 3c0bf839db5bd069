import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import pg from 'pg';
import { submit } from '../../server/platform/pg-internals.ts';
import { freePort } from '../../server/start/ports.ts';
import { cloneDatabase, startTestPostgres } from '../../server/testing/postgres.ts';
import { processorSecondsOf } from '../processor-time.ts';
import { type Case, type Figure, median, percentile } from '../report.ts';
import { signIn, startServer, withDataFolder } from '../server.ts';

const tableOf = (
  rows: number,
) => `select i as id, 'device-' || i % 1000 as device, timestamptz '2026-01-01' + i * interval '1 second' as time,
  (i * 37 % 1000) / 10.0::float8 as value, case when i % 10 = 0 then null else 'ok' end as state from generate_series(1, ${rows}) i`;

/** The same many, of numbers that do not repeat: long ones, decimals, singles. */
const randomOf = (
  rows: number,
) => `select i as id, random() as share, (i * 1.37)::numeric(12, 2) as price, (random() * 100)::real as temperature,
  timestamp '2026-01-01' + random() * interval '300 days' as time from generate_series(1, ${rows}) i`;

/** From the request to the last byte, held against what the database itself needs. */
export const queryCase: Case = {
  name: 'query',
  run: () => withSource(1_000_000, measure),
  quick: () => withSource(200_000, measureQuickly),
};

const withSource = (rows: number, work: (url: string, serverPid: number, databaseUrl: string) => Promise<Figure[]>): Promise<Figure[]> =>
  withDataFolder(async (dataFolder) => {
    await using undo = new AsyncDisposableStack();
    const source = await startTestPostgres();
    undo.defer(() => source.stop());
    const database = await cloneDatabase(source, 'bench');
    const server = await startServer(dataFolder, await freePort());
    undo.defer(() => server.stop());
    await inDatabase(database.url, async (client) => {
      await client.query(`create table readings as ${tableOf(rows)}`);
      await client.query(`create table measured as ${randomOf(rows)}`);
    });
    return await work(server.url, server.pid, database.url);
  });

/** Signs in and creates the data source; returns functions that run statements on it and download their results. */
async function client(url: string, databaseUrl: string) {
  const key = await signIn(url);
  const post = (path: string, body: unknown, as = key) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Key ${as}`, 'content-type': 'application/json', prefer: 'wait=0.3' },
      body: JSON.stringify(body),
    });
  const read = async <T>(path: string, as = key) =>
    (await (await fetch(`${url}${path}`, { headers: { authorization: `Key ${as}` } })).json()) as T;
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const options = {
    host: hostname,
    port: Number(port),
    user: username,
    password: decodeURIComponent(password),
    dbname: pathname.slice(1),
    sslmode: 'disable',
  };
  const source = (await (await post('/api/data_sources', { name: 'bench', type: 'pg', options })).json()) as { id: number };

  const run = async (query: string, askEveryMs = 20, as = key): Promise<number> => {
    const answer = (await (await post('/api/query_results', { data_source_id: source.id, query, max_age: 0 }, as)).json()) as Answer;
    let job = answer.job;
    while (job && job.status < 3) {
      await new Promise((resolve) => setTimeout(resolve, askEveryMs));
      job = (await read<Answer>(`/api/jobs/${job.id}`, as)).job;
    }
    if (job?.status === 4) throw new Error(job.error);
    return job?.query_result_id ?? answer.query_result?.id ?? 0;
  };
  const download = (path: string, encoding: Form['encoding']) =>
    toSink(`${url}${path}`, { authorization: `Key ${key}`, 'accept-encoding': encoding });
  const whole = ({ table, file, encoding }: Form, turn: number) =>
    timed(async () => {
      const id = await run(`select * from ${table} /* ${file} ${encoding} ${turn} */`);
      await download(`/api/query_results/${id}${file}`, encoding);
    });
  return { key, post, read, run, whole };
}

const timed = async (work: () => Promise<unknown>) => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

/** Both warm: the first few hundred are compiled while they run. */
async function smallStatements(databaseUrl: string, run: Run, rounds: number): Promise<{ driver: number[]; api: number[] }> {
  const driver = await inDatabase(databaseUrl, async (client) => {
    const times: number[] = [];
    for (let i = 0; i < 2 * rounds; i++) times.push(await timed(() => client.query('select 1')));
    return times.slice(rounds);
  });
  for (let i = 0; i < rounds; i++) await run('select 1');
  const api: number[] = [];
  for (let i = 0; i < rounds; i++) api.push(await timed(() => run('select 1')));
  return { driver, api };
}

/** The processor time of console, its database and the source, beside that of a COPY: the least of several turns. */
async function measureQuickly(url: string, _pid: number, databaseUrl: string): Promise<Figure[]> {
  const { whole } = await client(url, databaseUrl);
  const forms = [
    { what: '200,000 rows as JSON', table: 'readings', file: '', encoding: 'gzip', seconds: [] as number[] },
    { what: '200,000 rows as CSV', table: 'readings', file: '.csv', encoding: 'gzip', seconds: [] as number[] },
    { what: '200,000 rows of random numbers as CSV', table: 'measured', file: '.csv', encoding: 'gzip', seconds: [] as number[] },
  ] as const;
  const copies: number[] = [];
  for (let turn = 0; turn < 6; turn++) {
    copies.push(await processorSecondsOf(() => copyToSink(databaseUrl, 'readings')));
    for (const form of forms) form.seconds.push(await processorSecondsOf(() => whole(form, turn)));
  }
  return forms.map(
    ({ what, seconds }): Figure => ({
      what,
      value: Math.min(...seconds),
      unit: 'processor s',
      reference: { what: 'COPY of readings', value: Math.min(...copies) },
      goal: '–',
      isMet: true,
    }),
  );
}

async function measure(url: string, serverPid: number, databaseUrl: string): Promise<Figure[]> {
  const { key, post, read, run, whole } = await client(url, databaseUrl);
  await run('select 1');
  const rest = workerMemoryMb(serverPid);
  // Before the database is busy bringing gigabytes of results to the disk.
  const { driver, api } = await smallStatements(databaseUrl, run, 300);
  const copies = { readings: [] as number[], measured: [] as number[] };
  const forms: (Form & { what: string; times: number[] })[] = [
    { what: 'a million rows as JSON', table: 'readings', file: '', encoding: 'gzip', times: [] },
    { what: 'a million rows as CSV', table: 'readings', file: '.csv', encoding: 'gzip', times: [] },
    { what: 'a million rows as JSON, not compressed', table: 'readings', file: '', encoding: 'identity', times: [] },
    { what: 'a million rows as CSV, not compressed', table: 'readings', file: '.csv', encoding: 'identity', times: [] },
    { what: 'a million rows of random numbers as JSON', table: 'measured', file: '', encoding: 'gzip', times: [] },
    { what: 'a million rows of random numbers as CSV', table: 'measured', file: '.csv', encoding: 'gzip', times: [] },
    { what: 'a million rows as XLSX', table: 'readings', file: '.xlsx', encoding: 'gzip', times: [] },
  ];
  for (let turn = 0; turn < 5; turn++) {
    for (const table of ['readings', 'measured'] as const) {
      copies[table].push(await timed(() => copyToSink(databaseUrl, table)));
      for (const form of forms.filter((form) => form.table === table)) form.times.push(await whole(form, turn));
    }
  }
  // Apart from what is timed: to look at all processes takes the client's time.
  let peak = rest;
  const sampling = setInterval(() => {
    peak = Math.max(peak, workerMemoryMb(serverPid));
  }, 50);
  for (let turn = 5; turn < 8; turn++) for (const form of forms) await whole(form, turn);
  clearInterval(sampling);

  const people = await Promise.all(
    Array.from({ length: 50 }, async (_, person) => {
      const invited = await post('/api/users', { name: `Person ${person}`, email: `person-${person}@example.com` });
      const { id } = (await invited.json()) as { id: number };
      return (await read<{ api_key: string }>(`/api/users/${id}`)).api_key;
    }),
  );
  const busy = await apiWhileBusy(url, key, people, run);

  const roundTrip = { what: 'driver', value: median(driver) };
  return [
    ...forms.map(({ what, table, file, times }) => ({
      what: `${what}, request to last byte`,
      value: median(times) / 1000,
      unit: 's',
      reference: { what: 'COPY of the same rows', value: median(copies[table]) / 1000 },
      goal: `≤ ${goalOf[file]} ×`,
      isMet: median(times) <= goalOf[file] * median(copies[table]),
    })),
    {
      what: 'memory of the worker and its executors above rest',
      value: peak - rest,
      unit: 'MB',
      goal: '≤ 60 MB',
      isMet: peak - rest <= 60,
    },
    {
      what: 'select 1 through the API, p50',
      value: median(api),
      unit: 'ms',
      reference: roundTrip,
      goal: 'driver + 6 ms',
      isMet: median(api) <= median(driver) + 6,
    },
    {
      what: 'select 1 through the API, p99',
      value: percentile(api, 0.99),
      unit: 'ms',
      reference: { what: 'driver', value: percentile(driver, 0.99) },
      goal: 'driver + 20 ms',
      isMet: percentile(api, 0.99) <= percentile(driver, 0.99) + 20,
    },
    {
      what: 'session and lists while 50 people run queries, p99',
      value: percentile(busy, 0.99),
      unit: 'ms',
      goal: '≤ 50 ms',
      isMet: percentile(busy, 0.99) <= 50,
    },
  ];
}

/** Times of the COPY. */
const goalOf = { '': 1, '.csv': 1.2, '.xlsx': 10 } as const;

interface Form {
  table: 'readings' | 'measured';
  file: '' | '.csv' | '.xlsx';
  encoding: 'gzip' | 'identity';
}

interface Answer {
  job?: { id: string; status: number; error: string; query_result_id: number };
  query_result?: { id: number };
}

type Run = (query: string, askEveryMs?: number, as?: string) => Promise<number>;

async function apiWhileBusy(url: string, key: string, keys: string[], run: Run): Promise<number[]> {
  const until = Date.now() + 10_000;
  const people = keys.map(async (own, person) => {
    for (let turn = 0; Date.now() < until; turn++) {
      const limit = [1, 100, 5000][turn % 3];
      // Q9: a client asks for its job every 500 ms.
      await run(`select * from readings where id % 50 = ${person} limit ${limit} /* ${turn} */`, 500, own);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  });
  const times = await askBeside(url, key, until);
  await Promise.all(people);
  return times;
}

/** In a process of its own: the one that plays fifty people is busy itself. */
async function askBeside(url: string, key: string, until: number): Promise<number[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'api-times.ts'), url, key, String(until)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  await once(child, 'close');
  return JSON.parse(said) as number[];
}

async function inDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Bytes as they come, into nothing, like the rows of the COPY beside it. */
async function toSink(url: string, headers: Record<string, string>): Promise<number> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => get(url, { headers }, resolve).once('error', reject));
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`);
  let bytes = 0;
  for await (const piece of answer) bytes += piece.length;
  return bytes;
}

/** The least that reading these rows can cost: the protocol's bytes into a sink. */
async function copyToSink(url: string, table: string): Promise<void> {
  await inDatabase(url, async (client) => {
    const done = Promise.withResolvers<void>();
    submit(client, {
      send: (wire) => wire.query(`copy (select * from ${table}) to stdout`),
      done: done.resolve,
      failed: done.reject,
    });
    await done.promise;
  });
}

/** Resident memory of the worker role and the processes it started, in MB, where the kernel tells. */
function workerMemoryMb(ancestor: number): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return [
          {
            pid: Number(pid),
            parent: Number(/PPid:\s+(\d+)/.exec(status)?.[1]),
            kb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0),
            command,
          },
        ];
      } catch {
        return [];
      }
    });
  const below = (pid: number): number[] =>
    processes.filter(({ parent }) => parent === pid).flatMap((child) => [child.pid, ...below(child.pid)]);
  const ours = new Set(below(ancestor));
  const worker = processes.find(({ pid, command }) => ours.has(pid) && command.includes('main.ts\0worker'));
  if (!worker) throw new Error('There is no worker whose memory could be measured.');
  const family = new Set([worker.pid, ...below(worker.pid)]);
  return processes.filter(({ pid }) => family.has(pid)).reduce((sum, { kb }) => sum + kb, 0) / 1024;
}
