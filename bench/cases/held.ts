import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { type MadeDevice, makeDevices } from '../../server/testing/fleet.ts';
import { connectPacket, publishPacket } from '../../server/testing/mqtt-sender.ts';
import { type Installation, withInstallation } from '../ingest/installation.ts';
import type { Case, Figure } from '../report.ts';

const scale = Number(process.env.BENCH_SCALE ?? 1);
const connections = 200;
const each = Math.round(500 * scale);
const heldMs = 10_000;

/** What is sent while the database commits nothing: it waits where it costs nothing, and nothing of it is lost. */
export const heldCase: Case = { name: 'held', run: () => withInstallation(measure) };

async function measure({ ctx, port, databaseUrl, residentMb }: Installation): Promise<Figure[]> {
  const fleet = await makeDevices(ctx, 'held', connections);
  const senders = await Promise.all(fleet.map((device) => opened(port, device)));
  const acknowledged = () => senders.reduce((sum, sender) => sum + sender.acknowledged, 0);
  const sendAll = (from: number) => {
    for (const sender of senders) sender.send(from, each);
  };
  const all = connections * each;
  // Once without a hitch: what memory it takes to work at all is not what is measured.
  sendAll(0);
  while (acknowledged() < all) await sleep(50);
  const before = residentMb();
  const holder = new pg.Client(databaseUrl);
  await holder.connect();
  await holder.query('begin; lock table telemetry.uplink in exclusive mode');
  sendAll(each);
  let most = 0;
  for (const until = Date.now() + heldMs; Date.now() < until; await sleep(100)) most = Math.max(most, residentMb());
  const whileHeld = acknowledged() - all;
  await holder.query('rollback');
  await holder.end();
  const startedAt = performance.now();
  while (acknowledged() < 2 * all && performance.now() - startedAt < 60_000) await sleep(20);
  const seconds = (performance.now() - startedAt) / 1000;
  for (const { socket } of senders) socket.destroy();
  const { rows } = await sql<{ n: number; distinct: number }>`
    select count(*)::int as n, count(distinct (device_pk, raw))::int as distinct from telemetry.uplink`.execute(ctx.db);
  const { n = 0, distinct = 0 } = rows[0] ?? {};
  return [
    {
      what: `memory of ingest while ${all} messages waited for ${heldMs / 1000} s, above that before`,
      value: most - before,
      unit: 'MB',
      goal: '≤ 80 MB (64 MiB may wait)',
      isMet: most - before <= 80 && whileHeld === 0,
    },
    {
      what: `of them stored once released, within ${seconds.toFixed(1)} s`,
      value: Math.min(n, distinct) - all,
      unit: 'messages',
      reference: { what: 'sent', value: all },
      goal: '1.00 ×',
      isMet: n === 2 * all && distinct === n && acknowledged() === n,
    },
  ];
}

interface Sender {
  socket: Socket;
  acknowledged: number;
  send(from: number, count: number): void;
}

function opened(port: number, { channel_id, device_id, api_key }: MadeDevice): Promise<Sender> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    const topic = `v1/${channel_id}/devices/${device_id}/up`;
    let bytes = 0;
    const sender: Sender = {
      socket,
      acknowledged: 0,
      send: (from, count) =>
        void socket.write(Buffer.concat(Array.from({ length: count }, (_, n) => publishPacket(topic, from + n + 1, `{"n":${from + n}}`)))),
    };
    socket.once('error', reject);
    socket.once('connect', () => socket.write(connectPacket('held', `${channel_id}/${device_id}`, api_key)));
    socket.on('data', (chunk) => {
      if (bytes === 0 && chunk[3] !== 0) reject(new Error(`refused with ${chunk[3]}`));
      bytes += chunk.length;
      // CONNACK and PUBACK are four bytes each.
      sender.acknowledged = Math.floor(bytes / 4) - 1;
      if (bytes >= 4) resolve(sender);
    });
  });
}
