import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Ctx } from '../../server/platform/context.ts';
import { makeDevices } from '../../server/testing/fleet.ts';
import { Partitions } from '../../server/uplinks/storage/partitions.ts';
import { type Installation, withInstallation } from '../ingest/installation.ts';
import { lineChart } from '../picture.ts';
import { type Case, type Figure, median, saveFile } from '../report.ts';
import { iotDataRunner, signIn } from '../server.ts';
import { gatewaySenders, generate } from './ingest.ts';

/** `BENCH_SCALE=10 npm run bench growth` goes up to 100,000 devices, 20 M points and 20,000 queries; usually it is a tenth of that. */
const scale = Number(process.env.BENCH_SCALE ?? 1);

/** What one unit of work costs as everything around it grows. */
interface Curve {
  what: string;
  unit: string;
  points: { x: number; y: number }[];
}

export const growthCase: Case = { name: 'growth', run: () => withInstallation(measure) };

async function measure(installation: Installation): Promise<Figure[]> {
  const headers = { authorization: `Key ${await signIn(installation.url)}`, 'content-type': 'application/json' };
  const curves = [
    await devices(installation),
    await history(installation, headers),
    ...(await savedQueries(installation, headers)),
    await widgets(installation, headers),
    await people(installation, headers),
  ];
  for (const { what, unit, points } of curves)
    saveFile(
      `growth-${what.replaceAll(/\W+/g, '-')}.svg`,
      lineChart({ title: `Cost per unit of work: ${what}`, x: what, y: unit, isLogarithmic: true, lines: [{ label: unit, points }] }),
    );
  saveFile('growth-curves.json', `${JSON.stringify(curves, null, 2)}\n`);
  return curves.map(({ what, unit, points }): Figure => {
    const exponent = slope(points);
    const [first, last] = [points[0], points.at(-1)];
    return {
      what: `${unit} with ${last?.x} ${what}, whose cost grows by the power ${exponent.toFixed(2)}`,
      value: last?.y ?? 0,
      unit: 'ms',
      reference: { what: `with ${first?.x}`, value: first?.y ?? 0 },
      goal: 'power ≤ 0.2 per unit of work',
      isMet: exponent <= 0.2,
    };
  });
}

/** The exponent of x by which y grows: 0 is the same cost however much there is, log n is less than 0.2 over these spans. */
function slope(points: readonly { x: number; y: number }[]): number {
  const logs = points.map(({ x, y }) => [Math.log(x), Math.log(y)] as const);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(logs.map(([x]) => x)), mean(logs.map(([, y]) => y))];
  return logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / logs.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
}

async function timed(work: () => Promise<unknown>, rounds = 15): Promise<number> {
  for (let n = 0; n < 3; n++) await work();
  const times: number[] = [];
  for (let n = 0; n < rounds; n++) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

async function devices({ ctx, port }: Installation): Promise<Curve> {
  const points: Curve['points'] = [];
  for (const count of [100, 1000, 10_000 * Math.max(1, scale)]) {
    const senders = await gatewaySenders(ctx, `growth-${count}`, count);
    const { perSecond } = await generate({ port, senders, window: 20, seconds: 4, warmUpSeconds: 1, warmUpMessages: 2 * count });
    points.push({ x: count, y: 1000 / perSecond });
  }
  return { what: 'devices', unit: 'ms per message', points };
}

async function history({ ctx, url }: Installation, headers: Record<string, string>): Promise<Curve> {
  const ask = await iotDataRunner(url, headers);
  const [device] = await makeDevices(ctx, 'history', 1);
  const { rows } = await sql<{ id: number }>`
    insert into telemetry.attribute (channel_pk, name, kind_seen, first_seen, last_seen) values (${device?.channel_pk}, 'temperature', 'n', now(), now())
    returning id`.execute(ctx.db);
  const points: Curve['points'] = [];
  let [days, made] = [0, 0];
  for (const upTo of [10, 50, Math.round(230 * Math.max(1, scale))]) {
    await addDays(ctx, device?.pk ?? 0, rows[0]?.id ?? 0, days, upTo);
    made += (upTo - days) * 8640;
    days = upTo;
    await sql`analyze telemetry.metric_point`.execute(ctx.db);
    const day = `select date_trunc('hour', time) as hour, avg(value) from app.metric
      where channel_id = 'history' and attribute = 'temperature' and time > now() - interval '24 hours' group by 1`;
    points.push({ x: made, y: await timed(() => ask(day)) });
  }
  return { what: 'points of history', unit: 'ms per day of one series', points };
}

async function addDays(ctx: Ctx, device: number, attribute: number, from: number, to: number): Promise<void> {
  const today = Math.floor(Date.now() / 86_400_000);
  const span = Array.from({ length: to - from + 2 }, (_, n) => today - from - n);
  await new Partitions(ctx.db as never, ctx.log).ensure('metric_point', span);
  // In steps, because a statement may not take longer than a minute.
  for (let begin = from; begin < to; begin += 200)
    await sql`
      insert into telemetry.metric_point (time, device_pk, attribute_id, value, kind)
      select now() - n * interval '10 seconds', ${device}::int, ${attribute}::int, random(), 'n'
      from generate_series(${begin * 8640 + 1}::int, ${Math.min(to, begin + 200) * 8640}::int) n on conflict do nothing`.execute(ctx.db);
}

/** Lists of the newest, a search that finds one query, and one that finds all of them, whose unit of work is a query that it ranks. */
async function savedQueries({ ctx, url }: Installation, headers: Record<string, string>): Promise<Curve[]> {
  const [newest, one, all]: [Curve, Curve, Curve] = [
    { what: 'saved queries', unit: 'ms per page of the newest', points: [] },
    { what: 'saved queries to search', unit: 'ms per search that finds one', points: [] },
    { what: 'saved queries found', unit: 'ms per query that a search ranks', points: [] },
  ];
  let made = 0;
  for (const count of [100, 500, 2000 * Math.max(1, scale)]) {
    await copyQueries(ctx, made, count);
    made = count;
    const list = async (term: string) => (await fetch(`${url}/api/queries?page_size=25${term}`, { headers })).text();
    newest.points.push({ x: count, y: await timed(() => list('')) });
    one.points.push({ x: count, y: await timed(() => list(`&q="reading ${count}"`)) });
    all.points.push({ x: count, y: (await timed(() => list('&q=reading'))) / count });
  }
  return [newest, one, all];
}

async function copyQueries(ctx: Ctx, from: number, to: number): Promise<void> {
  await sql`
    insert into queries (org_id, user_id, data_source_id, name, query, query_hash, options, is_draft)
    select (select min(id) from organizations), (select min(id) from users), (select min(id) from data_sources), 'Reading ' || n, 'select ' || n, md5(n::text),
      '{"parameters":[]}', false
    from generate_series(${from + 1}::int, ${to}::int) n`.execute(ctx.db);
  // Autovacuum would do so within a minute.
  await sql`analyze queries, query_search`.execute(ctx.db);
}

async function widgets({ url }: Installation, headers: Record<string, string>): Promise<Curve> {
  const post = async <T>(path: string, body: object) =>
    (await (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as T;
  const points: Curve['points'] = [];
  for (const count of [5, 20, 50]) {
    const { id } = await post<{ id: number }>('/api/dashboards', { name: `Of ${count}` });
    for (let n = 0; n < count; n++) {
      const position = { col: 0, row: n * 3, sizeX: 3, sizeY: 3 };
      await post('/api/widgets', { dashboard_id: id, text: `Box ${n}`, visualization_id: null, width: 1, options: { position } });
    }
    const open = async () => (await fetch(`${url}/api/dashboards/${id}`, { headers })).text();
    points.push({ x: count, y: (await timed(open)) / count });
  }
  return { what: 'widgets of a dashboard', unit: 'ms per widget', points };
}

async function people({ url }: Installation, headers: Record<string, string>): Promise<Curve> {
  const points: Curve['points'] = [];
  for (const count of [1, 10, 50, 200]) {
    const until = performance.now() + 3000;
    let answers = 0;
    await Promise.all(
      Array.from({ length: count }, async () => {
        for (; performance.now() < until; answers++) await (await fetch(`${url}/api/session`, { headers })).text();
      }),
    );
    points.push({ x: count, y: 3000 / answers });
    await sleep(200);
  }
  return { what: 'people at once', unit: 'ms per answer', points };
}
