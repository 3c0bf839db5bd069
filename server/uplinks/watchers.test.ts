import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { DeviceEntry } from '../networks/directory.ts';
import type { Outcome } from '../networks/uplink-sink.ts';
import { makeDevices } from '../testing/fleet.ts';
import { servicesOf } from '../testing/live-server.ts';
import { testApp } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';
import { createDirectory } from './directory.ts';
import { Uplinks } from './uplinks.ts';
import { type Match, sweepMatches, type UplinkWatcher } from './watchers.ts';

const app = await testApp({ env: { TELLTALE_RATE_DEVICE: '0', TELLTALE_RATE_CHANNEL: '0' } });
const services = servicesOf(app);
const directory = createDirectory(services);
const [made] = await makeDevices(app.ctx, 'weather', 1);
const device = (await directory.findDevice('weather', made?.device_id ?? '')) as DeviceEntry;

const handled: Match[] = [];
let fault: (matches: readonly Match[]) => void = () => {};
/** Matches every reading of `hit`; its subject is the value. */
const watcher: UplinkWatcher = {
  name: 'test',
  match: (_device, { points }) => {
    const hits = points.filter(({ name }) => name === 'hit');
    return hits.length > 0 ? hits.map(({ value }) => ({ subject_id: value ?? 0, payload: { text: 'a\ud800b\0', value } })) : undefined;
  },
  handle: async (tx, matches) => {
    expect(tx.db.isTransaction).toBe(true);
    fault(matches);
    handled.push(...matches);
  },
};
const broken: UplinkWatcher = {
  name: 'broken',
  match: () => {
    throw new Error('This watcher is broken.');
  },
  handle: async () => {},
};
const uplinks = new Uplinks(services, { settleMs: 20, watchers: [broken, watcher] });
afterAll(async () => {
  await uplinks.stop();
  await directory.stop();
});

const send = (payload: object, more = {}) =>
  new Promise<Outcome>((done) =>
    uplinks.receive(
      {
        device,
        payload: Buffer.from(JSON.stringify(payload)),
        topic: 'up',
        format: 'auto',
        fport: null,
        source: 'mqtt',
        packet_id: null,
        isRepeat: false,
        ...more,
      },
      done,
    ),
  );
const left = async () =>
  (await sql<{ n: number; attempts: number }>`select count(*)::int as n, max(attempts) as attempts from uplink_matches`.execute(app.ctx.db))
    .rows[0];
const subjects = () => handled.map(({ subject_id }) => subject_id);

beforeEach(() => {
  handled.length = 0;
  fault = () => {};
});

describe('watchers of uplinks', () => {
  test('a match is handled after the commit, in order of arrival, and leaves no row', async () => {
    const outcomes = await Promise.all(Array.from({ length: 300 }, (_, n) => send({ hit: n + 1 })));
    await uplinks.drain();
    expect(subjects()).toEqual(Array.from({ length: 300 }, (_, n) => n + 1));
    expect(handled[0]).toMatchObject({ watcher: 'test', device_pk: device.pk, payload: { text: 'a\ufffdb\ufffd', value: 1 } });
    expect(handled.map(({ uplink_id }) => uplink_id)).toEqual(outcomes.map((one) => ('uplink_id' in one ? one.uplink_id : '')));
    expect(await left()).toMatchObject({ n: 0 });
  });

  test('an uplink without a match leaves nothing behind; a duplicate does not match', async () => {
    await send({ other: 1 });
    await send({ hit: 7, id: 'same' });
    expect((await send({ hit: 7, id: 'same' })).status).toBe('duplicate');
    await uplinks.drain();
    expect(subjects()).toEqual([7]);
  });

  test('several readings of one subject in one uplink are one match', async () => {
    const ts = Date.now();
    await send([
      { ts: ts - 2, values: { hit: 5 } },
      { ts: ts - 1, values: { hit: 5 } },
      { ts, values: { hit: 6 } },
    ]);
    await uplinks.drain();
    expect(subjects()).toEqual([5, 6]);
  });

  test('a match that cannot be handled does not keep the others waiting, and is tried again by the sweep', async () => {
    fault = (matches) => {
      if (matches.some(({ subject_id }) => subject_id === 13)) throw new Error('Not this one.');
    };
    await Promise.all([send({ hit: 12 }), send({ hit: 13 }), send({ hit: 14 })]);
    await uplinks.drain();
    expect(subjects()).toEqual([12, 14]);
    const age = () => sql`update uplink_matches set at = at - interval '2 minutes'`.execute(app.ctx.db);
    await age();
    await sweepMatches(services, [watcher]);
    expect(await left()).toEqual({ n: 1, attempts: 1 });
    fault = () => {};
    await sweepMatches(services, [watcher]);
    expect(subjects()).toEqual([12, 14, 13]);
    expect(await left()).toMatchObject({ n: 0 });
  });

  test('a database that is away for a moment is waited for, and nothing happens twice', async () => {
    let isAway = true;
    fault = () => {
      if (isAway) throw Object.assign(new Error('gone'), { code: '57P01' });
    };
    const sent = send({ hit: 21 });
    await sent;
    expect((await until(left, (rows) => rows?.n === 1))?.n).toBe(1);
    isAway = false;
    await uplinks.drain();
    expect(subjects()).toEqual([21]);
    expect(await left()).toMatchObject({ n: 0 });
  });

  test('what a killed process left behind is handled by the sweep', async () => {
    await sql`
      insert into uplink_matches (watcher, uplink_id, subject_id, device_pk, at, payload, writer)
      select 'test', 'U' || n, n, ${device.pk}, now() - interval '5 seconds', '{}', gen_random_uuid() from unnest(array[31, 30]) as n`.execute(
      app.ctx.db,
    );
    await sweepMatches(services, [watcher]);
    expect(subjects()).toEqual([30, 31]);
  });
});
