import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { missingClickhouse, startClickhouse } from '../../server/connectors/testing/clickhouse-server.ts';
import { moveHistory } from '../../server/history/move-history.ts';
import { readBacklog } from '../../server/history/outbox.store.ts';
import type { Ctx } from '../../server/platform/context.ts';
import { makeDevices } from '../../server/testing/fleet.ts';
import { Partitions } from '../../server/uplinks/storage/partitions.ts';
import { type Installation, withInstallation } from '../ingest/installation.ts';
import { type Case, type Figure, median } from '../report.ts';
import { iotDataRunner, signIn } from '../server.ts';
import { deviceSenders, generate } from './ingest.ts';

/** `BENCH_SCALE=10 npm run bench history` holds 50 million readings against each other; usually it is a tenth. */
const scale = Number(process.env.BENCH_SCALE ?? 1);
const [devices, attributes, days] = [1000, ['temperature', 'humidity'], 28];
const readings = 5_000_000 * scale;
const readingsADay = Math.round(readings / days);

/** Compares PostgreSQL alone with ClickHouse beside it, on the same readings: how many messages are acknowledged, and how long a day takes to read. */
export const historyCase: Case = {
  name: 'history',
  run: async () => {
    if (missingClickhouse) {
      console.log(`history is left out: ${missingClickhouse} is missing.`);
      return [];
    }
    return withInstallation(measure);
  },
};

async function measure(installation: Installation): Promise<Figure[]> {
  const { ctx, url, restart } = installation;
  await using undo = new AsyncDisposableStack();
  const clickhouse = await startClickhouse('UTC');
  undo.defer(() => clickhouse.stop());
  const clickhouseUrl = `http://127.0.0.1:${clickhouse.port}/telltale`;
  await makeReadings(ctx);
  const headers = { authorization: `Key ${await signIn(url)}`, 'content-type': 'application/json' };
  const senders = await deviceSenders(ctx);

  const alone = await measureDays(await iotDataRunner(url, headers), (day) => day.postgres);
  const aloneRate = await ingestRate(installation, senders);

  await restart({ CLICKHOUSE_URL: clickhouseUrl });
  const movedFrom = performance.now();
  const { moved } = await moveHistory(ctx.db, clickhouseUrl);
  const moveRate = moved / ((performance.now() - movedFrom) / 1000);
  await untilShipped(ctx);
  const beside = await measureDays(await iotDataRunner(url, headers), (day) => day.clickhouse);
  const besideRate = await ingestRate(installation, senders);
  const shipped = performance.now();
  const { points: waiting } = await readBacklog(ctx.db);
  await untilShipped(ctx);
  const shipRate = waiting / ((performance.now() - shipped) / 1000);

  const plain = (what: string, value: number): Figure => ({ what, value, unit: 'readings/s', goal: '–', isMet: true });
  return [
    {
      what: `acknowledged after commit, readings noted for ClickHouse, with ${readings} readings`,
      value: besideRate,
      unit: 'messages/s',
      reference: { what: 'PostgreSQL alone', value: aloneRate },
      goal: '≥ 0.5 ×',
      isMet: besideRate >= 0.5 * aloneRate,
    },
    plain('readings that move-history brings to ClickHouse', moveRate),
    plain('readings that waited and were sent to ClickHouse', shipRate),
    ...dayQueries.map(
      ({ what }, n): Figure => ({
        what: `${what}, ClickHouse, of ${readings} readings`,
        value: beside[n] ?? 0,
        unit: 'ms',
        reference: { what: 'PostgreSQL', value: alone[n] ?? 0 },
        goal: '–',
        isMet: true,
      }),
    ),
  ];
}

interface DayQuery {
  what: string;
  postgres: string;
  clickhouse: string;
}

const dayQueries: DayQuery[] = [
  {
    what: 'a day of one series by the hour',
    postgres: `select date_trunc('hour', time) as hour, avg(value) from app.metric where channel_id = 'history' and device_id = 'd-00007'
      and attribute = 'temperature' and time > now() - interval '24 hours' group by 1 order by 1`,
    clickhouse: `select toStartOfHour(time) as hour, avg(value) from app.metric where channel_id = 'history' and device_id = 'd-00007'
      and attribute = 'temperature' and time > now() - 86400 group by hour order by hour`,
  },
  {
    what: 'a day of the whole fleet by the hour',
    postgres: `select date_trunc('hour', time) as hour, avg(value), max(value) from app.metric where channel_id = 'history'
      and attribute = 'temperature' and time > now() - interval '24 hours' group by 1 order by 1`,
    clickhouse: `select toStartOfHour(time) as hour, avg(value), max(value) from app.metric where channel_id = 'history'
      and attribute = 'temperature' and time > now() - 86400 group by hour order by hour`,
  },
  {
    what: 'every reading of the whole fleet by the day',
    postgres: `select date_trunc('day', time) as day, count(*), avg(value) from app.metric where channel_id = 'history' group by 1 order by 1`,
    clickhouse: `select toStartOfDay(time) as day, count(*), avg(value) from app.metric where channel_id = 'history' group by day order by day`,
  },
];

/** Slow statements are not repeated for ever. */
const longestMs = 20_000;

async function measureDays(ask: (query: string) => Promise<void>, textOf: (query: DayQuery) => string): Promise<number[]> {
  const figures: number[] = [];
  for (const query of dayQueries) {
    await ask(textOf(query));
    const times: number[] = [];
    const until = performance.now() + longestMs;
    for (let turn = 0; turn < 5 && performance.now() < until; turn++) {
      const startedAt = performance.now();
      await ask(textOf(query));
      times.push(performance.now() - startedAt);
    }
    figures.push(median(times));
  }
  return figures;
}

async function ingestRate({ port }: Installation, senders: Awaited<ReturnType<typeof deviceSenders>>): Promise<number> {
  const rates: number[] = [];
  for (let turn = 0; turn < 3; turn++) rates.push((await generate({ port, senders, window: 20, seconds: 5, warmUpSeconds: 2 })).perSecond);
  return median(rates);
}

/** Day after day, as they would have come: all devices report at the same moments. */
async function makeReadings(ctx: Ctx): Promise<void> {
  const fleet = await makeDevices(ctx, 'history', devices);
  const { rows } = await sql<{ id: number }>`
    insert into telemetry.attribute (channel_pk, name, kind_seen, first_seen, last_seen)
    select ${fleet[0]?.channel_pk}::int, name, 'n', now(), now() from unnest(${attributes}::text[]) name returning id`.execute(ctx.db);
  const today = Math.floor(Date.now() / 86_400_000);
  await new Partitions(ctx.db as never, ctx.log).ensure(
    'metric_point',
    Array.from({ length: days + 2 }, (_, n) => today - n),
  );
  const moments = Math.round(readingsADay / (devices * attributes.length));
  for (let day = days; day > 0; day--)
    await sql`
      insert into telemetry.metric_point (time, device_pk, attribute_id, value, kind)
      select now() - ${day}::int * interval '1 day' + moment * interval '1 day' / ${moments}::int, device, attribute, 20 + random() * 10, 'n'
      from generate_series(1, ${moments}::int) moment, unnest(${fleet.map(({ pk }) => pk)}::int[]) device,
        unnest(${rows.map(({ id }) => id)}::int[]) attribute`.execute(ctx.db);
  await sql`vacuum analyze telemetry.metric_point`.execute(ctx.db);
}

async function untilShipped(ctx: Ctx): Promise<void> {
  while ((await readBacklog(ctx.db)).points > 0) await sleep(200);
}
