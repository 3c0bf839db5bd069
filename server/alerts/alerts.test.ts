import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { destinationsApi } from '@telltale/domain/destinations/contract.ts';
import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { describe, expect, test } from 'vitest';
import { makeDevices } from '../testing/fleet.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const admin = app.as(app.admin);
const owner = await app.make.user({ name: 'Olga' });
const [mine, other] = [app.as(owner), app.as(await app.make.user())];
/** Members see only the queries of their own source, and no channels. */
const closed = await app.make.group({ permissions: ['view_query', 'list_alerts'] });
const outsider = app.as(await app.make.user({ groups: [], group_ids: [closed.id] }));
const blind = app.as(
  await app.make.user({ groups: [], group_ids: [(await app.make.group({ permissions: ['view_query', 'view_channel'] })).id] }),
);
const source = await app.make.dataSource();
const query = await app.make.query({
  data_source_id: source.id,
  user_id: owner.id,
  name: 'Pressure',
  query: 'select 1 as bar -- secret text',
});
const hidden = await app.make.query({
  data_source_id: (await app.make.dataSource({ groups: { [closed.id]: false } })).id,
  user_id: app.admin.id,
});
const [device] = await makeDevices(app.ctx, 'plant', 2);

let count = 0;
const options = { column: 'bar', op: '>', value: 10 } as const;
const make = (more: object = {}) =>
  mine.get(alertsApi.create, { body: { name: `Alert ${++count}`, query_id: query.id, options, ...more } });

describe('server-behaviour 14.2, A6: alerts', () => {
  test('A3: a new alert is unknown, its owner the caller; the text and key of its query stay away (W13)', async () => {
    const alert = await make({ rearm: 60, id: 5, state: 'triggered', user_id: app.admin.id });
    expect(alert).toMatchObject({
      state: 'unknown',
      rearm: 60,
      query_id: query.id,
      query: { id: query.id, name: 'Pressure', schedule: null, parameters: 0 },
      user: { id: owner.id },
      options: { kind: 'query', column: 'bar', op: '>', value: 10, muted: false, selector: 'first' },
      last_evaluation: null,
      can_edit: true,
    });
    expect(JSON.stringify(alert)).not.toMatch(/secret text|api_key/);
    const read = await other.get(alertsApi.get, { params: { id: alert.id } });
    expect(read.can_edit).toBe(false);
  });

  test('two editors of one alert at once: what one of them does not send stays as the other saved it', async () => {
    const { id } = await make();
    for (let round = 1; round <= 5; round++) {
      const replies = await Promise.all([
        mine.call(alertsApi.save, { params: { id }, body: { name: `Both ${round}` } }),
        admin.call(alertsApi.save, { params: { id }, body: { rearm: 60 * round } }),
        round % 2 === 0 ? mine.call(alertsApi.unmute, { params: { id } }) : mine.call(alertsApi.mute, { params: { id } }),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
      const seen = await mine.get(alertsApi.get, { params: { id } });
      expect([seen.name, seen.rearm, seen.options.muted]).toEqual([`Both ${round}`, 60 * round, round % 2 === 1]);
    }
  });

  test('A3: rearm inside the options is taken, too; whichever is new counts', async () => {
    const alert = await make({ options: { ...options, rearm: 3600 } });
    expect(alert.rearm).toBe(3600);
    expect(alert.options).not.toHaveProperty('rearm');
    const save = (body: object) => mine.get(alertsApi.save, { params: { id: alert.id }, body });
    expect((await save({ rearm: 3600, options: { ...options, rearm: 60 } })).rearm).toBe(60);
    expect((await save({ rearm: 1, options: { ...options, rearm: 60 } })).rearm).toBe(1);
    expect((await save({ rearm: null })).rearm).toBe(null);
    expect((await save({ name: 'Other' })).rearm).toBe(null);
  });

  test('seeing an alert needs access to its query; only its owner and administrators change it', async () => {
    const alert = await make();
    const params = { id: alert.id };
    for (const stranger of [outsider, blind]) expect((await stranger.call(alertsApi.get, { params })).status).toBe(403);
    expect(((await outsider.get(alertsApi.list)) as object[]).length).toBe(0);
    expect((await blind.call(alertsApi.list)).status).toBe(403);
    expect((await app.anonymous().call(alertsApi.get, { params })).status).toBe(404);
    for (const call of [
      other.call(alertsApi.save, { params, body: { name: 'x' } }),
      other.call(alertsApi.remove, { params }),
      other.call(alertsApi.mute, { params }),
      other.call(alertsApi.unmute, { params }),
      other.call(alertsApi.evaluate, { params }),
    ])
      expect(await call).toMatchObject({ status: 403, message: "You don't have permission to edit this resource." });
    expect((await admin.call(alertsApi.mute, { params })).body).toBe(null);
    expect((await mine.get(alertsApi.get, { params })).options.muted).toBe(true);
    await admin.get(alertsApi.unmute, { params });
    expect((await mine.get(alertsApi.get, { params })).options.muted).toBe(false);
    expect((await admin.call(alertsApi.remove, { params })).body).toBe(null);
    expect((await mine.call(alertsApi.get, { params })).status).toBe(404);
  });

  test('a muted alert stays muted when a change of its options does not name `muted`', async () => {
    const params = { id: (await make()).id };
    await mine.get(alertsApi.mute, { params });
    const save = async (more: object) =>
      (await mine.get(alertsApi.save, { params, body: { options: { ...options, value: 12, ...more } } })).options;
    expect(await save({})).toMatchObject({ value: 12, muted: true });
    expect(await save({ muted: null })).toMatchObject({ muted: true });
    expect(await save({ muted: false })).toMatchObject({ muted: false });
    expect(await save({})).toMatchObject({ muted: false });
  });

  test('W11: an alert cannot be pointed at a query that its owner may not see', async () => {
    const alert = await make();
    expect((await mine.call(alertsApi.save, { params: { id: alert.id }, body: { query_id: hidden.id } })).status).toBe(403);
    expect((await mine.call(alertsApi.create, { body: { name: 'x', query_id: hidden.id, options } })).status).toBe(403);
    expect((await mine.call(alertsApi.querySetting, { query: { query_id: hidden.id } })).status).toBe(403);
    expect((await mine.call(alertsApi.replay, { body: { query_id: hidden.id, options } })).status).toBe(403);
    expect((await mine.call(alertsApi.create, { body: { name: 'x', query_id: 999_999, options } })).status).toBe(404);
  });

  test('design 8.1: alerts on devices need view_channel, a channel and devices that exist', async () => {
    const watched = { kind: 'device', channel_id: 'plant', attribute: 'bar', op: '>', value: 1 } as const;
    expect((await outsider.call(alertsApi.create, { body: { name: 'x', options: watched } })).status).toBe(403);
    expect((await outsider.call(alertsApi.replay, { body: { options: watched } })).status).toBe(403);
    expect((await mine.call(alertsApi.create, { body: { name: 'x', options: { ...watched, channel_id: 'nowhere' } } })).status).toBe(404);
    const wrong = await mine.call(alertsApi.create, { body: { name: 'x', options: { ...watched, device_ids: ['nobody'] } } });
    expect([wrong.status, wrong.message]).toEqual([400, 'The channel does not have all of these devices.']);
    const alert = await mine.get(alertsApi.create, { body: { name: 'x', options: { ...watched, device_ids: [device?.device_id ?? ''] } } });
    expect(alert).toMatchObject({ query: null, query_id: null, devices: [{ device_id: device?.device_id, state: 'unknown' }] });
    expect((await outsider.call(alertsApi.get, { params: { id: alert.id } })).status).toBe(403);
    expect((await outsider.call(alertsApi.ofDevice, { params: { id: 'plant', deviceId: device?.device_id ?? '' } })).status).toBe(403);
    expect((await mine.call(alertsApi.ofDevice, { params: { id: 'plant', deviceId: 'nobody' } })).status).toBe(404);
  });

  test.each([
    [{ options }, 'Name is required.'],
    [{ name: 'x' }, undefined],
    [{ name: 'x', options }, 'Choose a query.'],
    [{ name: 'x', query_id: 'abc', options }, undefined],
    [{ name: 'x', query_id: 1, options: { op: '>' } }, 'Choose a column.'],
    [{ name: 'x', query_id: 1, options: { ...options, op: 'near' } }, 'The condition must be one of >, >=, <, <=, ==, !=.'],
    [{ name: 'x', query_id: 1, options: { ...options, value: {} } }, undefined],
    [{ name: 'x', query_id: 1, options: { ...options, selector: 'last' } }, 'The selector must be one of first, min, max, any, all.'],
    [{ name: 'x', query_id: 1, options, rearm: -1 }, undefined],
    [{ name: 'x', query_id: 1, options, rearm: 1.5 }, undefined],
    [{ name: 'x', query_id: 1, options: { ...options, muted: 'yes' } }, 'Muted must be true or false.'],
    [{ name: 'x'.repeat(256), query_id: 1, options }, 'Name is too long (at most 255 characters).'],
    [{ name: 'x', options: { kind: 'weather' } }, undefined],
    [
      { name: 'x', options: { kind: 'silence', channel_id: 'plant', silent_seconds: 4 } },
      'The silence must be between 5 and 31622400 seconds.',
    ],
    [{ name: 'x', options: { kind: 'device', channel_id: 'plant' } }, 'Choose an attribute.'],
    [{ name: 'x', options: { kind: 'device', attribute: 'a' } }, 'Choose a channel.'],
    [{ name: 'x', query_id: 1, options: [] }, undefined],
    [{ name: 'x', query_id: 1, options: { ...options, custom_body: 'x'.repeat(100_001) } }, undefined],
  ])('%# is refused with a reason', async (body, message) => {
    const reply = await mine.call(alertsApi.create, { body: body as never });
    expect(reply.status).toBe(400);
    expect(reply.message).not.toBe('');
    if (message) expect(reply.message).toContain(message);
  });

  test('another condition or query starts anew, another name does not', async () => {
    const alert = await make();
    const { sql } = await import('kysely');
    await sql`update alerts set state = 'triggered' where id = ${alert.id}`.execute(app.ctx.db);
    const save = (body: object) => mine.get(alertsApi.save, { params: { id: alert.id }, body });
    expect((await save({ name: 'New name', options: { ...options, custom_subject: 'S' } })).state).toBe('triggered');
    expect((await save({ options: { ...options, value: 11 } })).state).toBe('unknown');
  });

  test('A2: the list sorts and pages; the summary and the home page count each alert once (W29)', async () => {
    const page = (await mine.get(alertsApi.list, { query: { page: 1, page_size: 2, order: '-muted' } })) as {
      count: number;
      results: object[];
    };
    expect(page.results).toHaveLength(2);
    const all = (await mine.get(alertsApi.list)) as { created_at: string }[];
    expect(page.count).toBe(all.length);
    expect(all.map(({ created_at }) => created_at)).toEqual(
      all
        .map(({ created_at }) => created_at)
        .toSorted()
        .toReversed(),
    );
    const summary = await mine.get(alertsApi.summary);
    expect(summary.total).toBe(all.length);
    expect(summary.triggered + summary.ok + summary.unknown).toBe(summary.total);
    expect((await mine.get(organizationApi.status)).object_counters.alerts).toBe(all.length);
    expect((await outsider.get(alertsApi.summary)).total).toBe(0);
  });
});

describe('A6, W11: subscriptions', () => {
  test('destinations and own addresses, each once; removed by the subscriber or an administrator', async () => {
    const alert = await make();
    const params = { id: alert.id };
    const target = await admin.get(destinationsApi.create, {
      body: { name: 'Hook', type: 'webhook', options: { url: 'https://x.example' } },
    });
    const subscribe = (body: object) => mine.get(alertsApi.subscribe, { params, body });
    const own = await subscribe({ alert_id: alert.id });
    expect(own).toMatchObject({ alert_id: alert.id, user: { id: owner.id } });
    expect(own).not.toHaveProperty('destination');
    for (const alert_id of [String(alert.id), null]) expect((await subscribe({ alert_id })).id).toBe(own.id);
    expect((await subscribe({ destination_id: -1 })).id).toBe(own.id);
    const hooked = await subscribe({ destination_id: target.id });
    expect(hooked.destination).toEqual({ id: target.id, name: 'Hook', type: 'webhook', icon: 'fa-bolt' });
    expect((await other.get(alertsApi.subscribe, { params, body: { destination_id: target.id } })).id).toBe(hooked.id);
    expect((await mine.call(alertsApi.subscribe, { params, body: { destination_id: 999_999 } })).status).toBe(400);
    expect((await outsider.call(alertsApi.subscribe, { params, body: {} })).status).toBe(403);
    expect(await other.get(alertsApi.subscriptions, { params })).toHaveLength(2);
    const remove = (who: typeof mine, subscriptionId: number, id = alert.id) =>
      who.call(alertsApi.unsubscribe, { params: { id, subscriptionId } });
    expect((await remove(other, hooked.id)).status).toBe(403);
    expect((await remove(mine, hooked.id, (await make()).id)).status).toBe(404);
    expect((await remove(mine, own.id)).body).toBe(null);
    expect((await remove(admin, hooked.id)).body).toBe(null);
    expect(await mine.get(alertsApi.subscriptions, { params })).toEqual([]);
  });

  test('two who subscribe at once make one subscription', async () => {
    const alert = await make();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => mine.call(alertsApi.subscribe, { params: { id: alert.id }, body: {} })),
    );
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  });
});
