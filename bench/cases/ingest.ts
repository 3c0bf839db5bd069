import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { newDeviceKey } from '../../server/networks/device-key.ts';
import type { Ctx } from '../../server/platform/context.ts';
import { freePort } from '../../server/start/ports.ts';
import { makeDevices } from '../../server/testing/fleet.ts';
import { Partitions } from '../../server/uplinks/storage/partitions.ts';
import type { Load, Measured } from '../ingest/generator.ts';
import { type Installation, withInstallation } from '../ingest/installation.ts';
import { processorSecondsOf } from '../processor-time.ts';
import { type Case, type Figure, median } from '../report.ts';
import { signIn } from '../server.ts';

/** `BENCH_SCALE=0.1 npm run bench ingest` for a look in a tenth of the time. */
const scale = Number(process.env.BENCH_SCALE ?? 1);
const connections = 200;
const usual = { window: 20, seconds: 5 * scale, warmUpSeconds: 3 * Math.max(scale, 0.3) };
const flatMessages = 2_000_000 * scale;

/** How many messages a second are stored before they are acknowledged, held against brokers that store nothing. */
export const ingestCase: Case = {
  name: 'ingest',
  run: () => withInstallation(measure),
  quick: () => withInstallation(measureQuickly),
};

/** The processor time of a message beside that of bare Aedes, in turn: the least of three. */
async function measureQuickly({ ctx, port }: Installation): Promise<Figure[]> {
  const senders = await deviceSenders(ctx);
  const messages = 50_000;
  const warm = async (load: Load) => {
    const some = { ...load, warmUpSeconds: 0, seconds: 3600, messages };
    await generate(some);
    return (1e6 * (await processorSecondsOf(() => generate(some)))) / messages;
  };
  const [own, others]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < 3; turn++) {
    others.push(await withBareAedes((aedesPort) => warm(anonymous(aedesPort))));
    own.push(await warm({ ...usual, port, senders }));
  }
  return [
    {
      what: 'a message, acknowledged after commit',
      value: Math.min(...own),
      unit: 'processor µs',
      reference: { what: 'bare Aedes, storing nothing', value: Math.min(...others) },
      goal: '–',
      isMet: true,
    },
  ];
}

export async function deviceSenders(ctx: Ctx): Promise<Load['senders']> {
  const fleet = await makeDevices(ctx, 'bench', connections);
  return fleet.map(({ channel_id, device_id, api_key }) => ({
    username: `${channel_id}/${device_id}`,
    password: api_key,
    topics: [`v1/${channel_id}/devices/${device_id}/up`],
  }));
}

interface Reference {
  what: string;
  value: number;
}

async function measure({ ctx, url, port, residentMb }: Installation): Promise<Figure[]> {
  const load: Load = { ...usual, port, senders: await deviceSenders(ctx) };
  const { durable, references } = await besideOthers(load);
  const steady = await generate({ ...load, rate: 10_000 });
  const memory = await memoryOverMessages(load, residentMb);
  const few = await throughGateway(ctx, load, 1000);
  const many = await throughGateway(ctx, load, 10_000);
  const history = await lastDay(ctx, await signIn(url), url);
  const goals = [0.6, 0.6];
  return [
    ...references.map((reference, n): Figure => {
      const goal = goals[n] ?? 0;
      const isMet = reference === undefined || durable >= goal * reference.value;
      const what = reference ? 'acknowledged after commit' : 'acknowledged after commit (mosquitto is not installed: no reference)';
      return { what, value: durable, unit: 'messages/s', ...(reference ? { reference } : {}), goal: `≥ ${goal} ×`, isMet };
    }),
    {
      what: `publish to PUBACK at ${Math.round(steady.perSecond)} of 10,000 messages/s offered, p99`,
      value: steady.p99,
      unit: 'ms',
      reference: { what: 'p50', value: steady.p50 },
      goal: '≤ 50 ms',
      isMet: steady.p99 <= 50 && steady.perSecond > 9500,
    },
    {
      what: `memory of ingest, after ${flatMessages} messages above that after a tenth of them`,
      value: memory.end - memory.start,
      unit: 'MB',
      goal: '≤ 50 MB',
      isMet: memory.end - memory.start <= 50,
    },
    {
      what: 'time per message, 10,000 devices',
      value: 1e6 / many.perSecond,
      unit: 'µs',
      reference: { what: '1,000 devices', value: 1e6 / few.perSecond },
      goal: '≤ 1.1 ×',
      isMet: few.perSecond / many.perSecond <= 1.1,
    },
    ...history.map(
      ({ what, short, long }): Figure => ({
        what: `one series over the last 24 h, ${what}, with 10 × the history`,
        value: long,
        unit: 'ms',
        reference: { what: 'with 1 ×', value: short },
        goal: '≤ 1.1 ×',
        isMet: long <= 1.1 * short,
      }),
    ),
  ];
}

/** In turn with brokers that store nothing: the machine may be slower a minute later. */
async function besideOthers(load: Load): Promise<{ durable: number; references: (Reference | undefined)[] }> {
  const durable: number[] = [];
  const others: (Reference | undefined)[][] = [];
  for (let turn = 0; turn < 3; turn++) {
    others.push([await mosquitto(), await bareAedes()]);
    durable.push((await generate(load)).perSecond);
  }
  const references = [0, 1].map((n) => {
    const found = others.flatMap((turn) => turn[n] ?? []);
    return found[0] && { what: found[0].what, value: median(found.map(({ value }) => value)) };
  });
  return { durable: median(durable), references };
}

/** A process of its own, so that what is measured does not share its event loop. */
export function generate(load: Load): Promise<Measured> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'ingest', 'generator.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(load));
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    child.once('exit', (code) => (code === 0 ? resolve(JSON.parse(said) as Measured) : reject(new Error('the generator failed'))));
  });
}

const anonymous = (port: number): Load => ({
  ...usual,
  port,
  senders: Array.from({ length: connections }, (_, n) => ({ topics: [`v1/bench/devices/d-${String(n).padStart(5, '0')}/up`] })),
});

async function mosquitto(): Promise<Reference | undefined> {
  if (spawnSync('mosquitto', ['-h']).error) return undefined;
  const [port, folder] = [await freePort(), mkdtempSync(join(tmpdir(), 'telltale-mosquitto-'))];
  writeFileSync(
    join(folder, 'conf'),
    `listener ${port} 127.0.0.1\nallow_anonymous true\nmax_inflight_messages 0\nmax_queued_messages 0\nlog_dest none\n`,
  );
  const child = spawn('mosquitto', ['-c', join(folder, 'conf')], { stdio: 'ignore' });
  await sleep(500);
  try {
    return { what: 'Mosquitto, storing nothing', value: (await generate(anonymous(port))).perSecond };
  } finally {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

const bareAedes = (): Promise<Reference> =>
  withBareAedes(async (port) => ({ what: 'bare Aedes, storing nothing', value: (await generate(anonymous(port))).perSecond }));

async function withBareAedes<T>(work: (port: number) => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'ingest', 'bare-aedes.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    return await work(await portOf(child));
  } finally {
    child.kill();
  }
}

const portOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    child.stdout?.once('data', (line) => resolve(Number(String(line))));
    child.once('exit', () => reject(new Error('the broker did not start')));
  });

async function memoryOverMessages(load: Load, residentMb: () => number): Promise<{ start: number; end: number }> {
  const seconds = 3600;
  await generate({ ...load, warmUpSeconds: 0, seconds, messages: flatMessages / 10 });
  const start = residentMb();
  await generate({ ...load, warmUpSeconds: 0, seconds, messages: flatMessages });
  return { start, end: residentMb() };
}

/** Many devices over few connections, as a gateway speaks for them. */
async function throughGateway(ctx: Ctx, load: Load, devices: number): Promise<Measured> {
  return generate({ ...load, senders: await gatewaySenders(ctx, `gateway-${devices}`, devices), warmUpMessages: 5 * devices });
}

export async function gatewaySenders(ctx: Ctx, channel: string, devices: number): Promise<Load['senders']> {
  const fleet = await makeDevices(ctx, channel, devices);
  const { api_key, record } = newDeviceKey(ctx.secrets);
  await sql`
    update channel_settings set lookup_id = ${record.lookup_id}, key_hash = ${record.key_hash}, key_sealed = ${record.key_sealed}
    where channel_pk = ${fleet[0]?.channel_pk}`.execute(ctx.db);
  await sleep(300);
  const share = Math.ceil(devices / connections);
  // A connection without a device would publish to no topic, which ends it.
  return Array.from({ length: Math.ceil(devices / share) }, (_, n) => ({
    username: channel,
    password: api_key,
    topics: fleet.slice(n * share, (n + 1) * share).map(({ device_id }) => `v1/${channel}/devices/${device_id}/up`),
  }));
}

/** The same question with a tenth of the history and with all of it: as people ask it, and what the database has to do for that. */
async function lastDay(ctx: Ctx, key: string, url: string): Promise<{ what: string; short: number; long: number }[]> {
  const [device] = await makeDevices(ctx, 'history', 1);
  const { rows } = await sql<{ id: number }>`
    insert into telemetry.attribute (channel_pk, name, kind_seen, first_seen, last_seen) values (${device?.channel_pk}, 'temperature', 'n', now(), now())
    returning id`.execute(ctx.db);
  const today = Math.floor(Date.now() / 86_400_000);
  await new Partitions(ctx.db as never, ctx.log).ensure(
    'metric_point',
    Array.from({ length: longDays + 1 }, (_, n) => today - n),
  );
  await sql`
    insert into telemetry.metric_point (time, device_pk, attribute_id, value, kind)
    select now() - n * interval '10 seconds', ${device?.pk}::int, ${rows[0]?.id}::int, random(), 'n'
    from generate_series(1, ${longDays * 8640}::int) n on conflict do nothing`.execute(ctx.db);
  await sql`analyze`.execute(ctx.db);
  const headers = { authorization: `Key ${key}`, 'content-type': 'application/json', prefer: 'wait=10' };
  const sources = (await (await fetch(`${url}/api/data_sources`, { headers })).json()) as { id: number; type: string }[];
  const data_source_id = sources.find(({ type }) => type === 'telltale')?.id;
  const ways = {
    'through the API': async () => {
      const body = JSON.stringify({ data_source_id, query: dayOfOneSeries, max_age: 0 });
      const answer = (await (await fetch(`${url}/api/query_results`, { method: 'POST', headers, body })).json()) as {
        query_result?: { data: { rows: unknown[] } };
      };
      if ((answer.query_result?.data.rows.length ?? 0) < 24) throw new Error(`No day came back: ${JSON.stringify(answer).slice(0, 300)}`);
    },
    'in the database alone': () => sql.raw(dayOfOneSeries).execute(ctx.db),
  };
  const ask = async (work: () => Promise<unknown>, times: number[]) => {
    await work();
    for (let turn = 0; turn < 20; turn++) {
      const startedAt = performance.now();
      await work();
      times.push(performance.now() - startedAt);
    }
  };
  const figures = Object.entries(ways).map(([what, work]) => ({ what, work, short: [] as number[], long: [] as number[] }));
  await untilIdle(ctx);
  // In turn: the machine may be slower a minute later.
  for (let turn = 0; turn < 5; turn++) {
    for (const { work, long } of figures) await ask(work, long);
    const putBack = await detachBefore(ctx, today - shortDays);
    for (const { work, short } of figures) await ask(work, short);
    await putBack();
  }
  return figures.map(({ what, short, long }) => ({ what, short: median(short), long: median(long) }));
}

const shortDays = 3;
const longDays = 10 * shortDays;

/** Takes the readings before a day out of sight; answers how they come back. */
async function detachBefore(ctx: Ctx, day: number): Promise<() => Promise<void>> {
  const { rows } = await sql<{ name: string; bound: string }>`
    select * from (
      select relname as name, pg_get_expr(relpartbound, pg_class.oid) as bound from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = 'telemetry.metric_point'::regclass) part
    where (regexp_match(bound, 'TO \\(''([^'']+)''\\)'))[1]::timestamptz <= to_timestamp(${day * 86_400})`.execute(ctx.db);
  for (const { name } of rows) await sql.raw(`alter table telemetry.metric_point detach partition telemetry.${name}`).execute(ctx.db);
  return async () => {
    for (const { name, bound } of rows)
      await sql.raw(`alter table telemetry.metric_point attach partition telemetry.${name} ${bound}`).execute(ctx.db);
  };
}

const dayOfOneSeries = `select date_trunc('hour', time) as hour, avg(value) from app.metric
  where channel_id = 'history' and attribute = 'temperature' and time > now() - interval '24 hours' group by 1`;

/** What was written sets off vacuums and rollups: a query beside them would tell of them. */
async function untilIdle(ctx: Ctx): Promise<void> {
  for (let waits = 0; waits < 120; waits++) {
    const { rows } = await sql`
      select from pg_stat_activity where pid <> pg_backend_pid() and state = 'active' and datname = current_database()`.execute(ctx.db);
    if (rows.length === 0 && waits > 2) return;
    await sleep(500);
  }
}
