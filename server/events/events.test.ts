import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { eventsApi, largestEventBatch } from '@telltale/domain/events/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';
import { forgetOldEvents } from './events.ts';

const app = await testApp();
const user = await app.make.user({ name: 'Eve' });
const post = async (body: unknown) => (await app.as(user).json('POST', '/api/events', body)).status;
const latest = async () => (await app.as(app.admin).get(eventsApi.list)).results;
const view = (more: Record<string, unknown> = {}) => ({ action: 'view', object_type: 'page', object_id: 'home', ...more });

describe('server-behaviour 23.4: usage events', () => {
  test('a batch is recorded with who, when, from where and with what', async () => {
    const seconds = Date.now() / 1000 - 60;
    const answer = await app
      .as(user)
      .json('POST', '/api/events', [view({ timestamp: seconds, screen_resolution: '1x1', depth: 3 }), view({ object_id: 5 })], {
        'user-agent': 'Tester/1.0',
      });
    expect([answer.status, await answer.json()]).toEqual([200, null]);
    const [now, then] = await latest();
    expect(now).toMatchObject({
      action: 'view',
      object_type: 'page',
      object_id: '5',
      user_id: user.id,
      user_name: 'Eve',
      browser: 'Tester/1.0',
      location: '127.0.0.1',
    });
    expect(then).toMatchObject({ object_id: 'home', details: { page: 'home', screen_resolution: '1x1', depth: '3' } });
    expect(Date.parse(then?.created_at ?? '') / 1000).toBeCloseTo(seconds, 1);
  });

  test('nothing at all, and nothing about an object, are fine', async () => {
    expect(await post([])).toBe(200);
    expect(await post([{ action: 'x', object_type: 'y' }])).toBe(200);
    expect(await post([view({ object_id: null })])).toBe(200);
  });

  test('nobody forges who they are, when it was or where they came from', async () => {
    expect(
      await post([
        view({
          timestamp: 4_102_444_800,
          ip: '6.6.6.6',
          user_agent: 'Forged',
          user_id: app.admin.id,
          user_name: 'admin',
          org_id: 77,
          created_at: '1999',
        }),
        view({ timestamp: 0, action: 'long ago' }),
      ]),
    ).toBe(200);
    const events = (await latest()).slice(0, 2);
    for (const event of events) {
      expect(event).toMatchObject({ user_id: user.id, user_name: 'Eve', location: '127.0.0.1' });
      expect(event.org_id).not.toBe(77);
      expect(event.browser).not.toBe('Forged');
      expect(Math.abs(Date.parse(event.created_at) - Date.now())).toBeLessThan(60_000);
    }
  });

  test.each([
    ['an object', {}],
    ['a string', 'x'],
    ['no action', [{ object_type: 'x' }]],
    ['an empty action', [view({ action: '' })]],
    ['a long action', [view({ action: 'a'.repeat(101) })]],
    ['an action that is an object', [view({ action: {} })]],
    ['a long id', [view({ object_id: 'a'.repeat(256) })]],
    ['an id that is a list', [view({ object_id: [1] })]],
    ['a long text', [view({ note: 'a'.repeat(1001) })]],
    ['an event of 3,000 characters', [view({ a: 'a'.repeat(900), b: 'b'.repeat(900), c: 'c'.repeat(900) })]],
    ['a nested value', [view({ note: { a: 1 } })]],
    ['21 keys', [view(Object.fromEntries(Array.from({ length: 18 }, (_, i) => [`k${i}`, i])))]],
    ['a negative time', [view({ timestamp: -1 })]],
    ['a time beyond time', [view({ timestamp: 1e300 })]],
    ['a time as text', [view({ timestamp: 'now' })]],
    ['one too many', Array.from({ length: largestEventBatch + 1 }, () => view())],
    ['one bad among good', [view(), view({ action: 5 }), view()]],
    ['a prototype', JSON.parse('[{"action":"a","object_type":"b","__proto__":{"x":1}}]')],
    ['U+0000', [view({ note: 'a\u0000b' })]],
  ])('%s is a 400, and nothing of it is kept', async (_, body) => {
    const before = (await app.as(app.admin).get(eventsApi.list)).count;
    expect(await post(body)).toBe(400);
    expect((await app.as(app.admin).get(eventsApi.list)).count).toBe(before);
  });

  test('the largest batch fits', async () => {
    expect(await post(Array.from({ length: largestEventBatch }, () => view()))).toBe(200);
  });

  test('hostile texts are kept as texts', async () => {
    const text = `<img src=x onerror=alert(1)> ' "; drop table events; -- \u202e 😀`;
    expect(await post([view({ action: text, object_type: text, object_id: text, note: text })])).toBe(200);
    expect((await latest())[0]).toMatchObject({ action: text, object_type: text, object_id: text, details: { note: text } });
  });

  test('half a character is refused or replaced, never a failure', async () => {
    const answer = await app.as(user).fetch('/api/events', { method: 'POST', body: '[{"action":"\\ud800","object_type":"x"}]' });
    expect(answer.status).toBeOneOf([200, 400]);
  });

  test('requests without a sign-in record no event', async () => {
    expect((await app.anonymous().json('POST', '/api/events', [view()])).status).toBe(404);
  });
});

describe('security 30: what browsers report is no proof', () => {
  test('an event of a browser is marked, one of the server is not', async () => {
    await post([view({ action: 'delete', object_type: 'datasource', object_id: 1 })]);
    expect((await latest())[0]?.details).toMatchObject({ reported_by: 'browser' });
    await app.as(app.admin).json('POST', '/api/groups', { name: 'Readers' });
    const own = (await latest()).find(({ details }) => details.reported_by === undefined);
    expect(own).toBeDefined();
  });

  test('the token of a dashboard reports views of that dashboard and nothing else', async () => {
    const { id } = await app.make.dashboard({ user_id: app.admin.id, is_draft: false });
    const { public_url } = await app.as(app.admin).get(dashboardsApi.share, { params: { id }, body: {} });
    const token = app.as({ api_key: public_url.split('/').at(-1) ?? '' });
    const report = async (body: unknown) => (await token.json('POST', '/api/events', body)).status;
    expect(await report([{ action: 'view', object_type: 'dashboard', object_id: id }])).toBe(200);
    expect(await report([{ action: 'view', object_type: 'dashboard', object_id: id + 1 }])).toBe(403);
    expect(await report([{ action: 'delete', object_type: 'datasource', object_id: 1 }])).toBe(403);
    expect(await report([view()])).toBe(403);
  });

  test('a flood of events is refused, for its sender alone', async () => {
    const [loud, calm] = [await app.make.user(), await app.make.user()];
    const batch = Array.from({ length: 200 }, () => view({ note: 'x'.repeat(900) }));
    const statuses: number[] = [];
    for (let n = 0; n < 5; n++) statuses.push((await app.as(loud).json('POST', '/api/events', batch)).status);
    expect(statuses).toContain(200);
    expect(statuses.at(-1)).toBe(429);
    expect((await app.as(calm).json('POST', '/api/events', [view()])).status).toBe(200);
  });
});

describe('reading them', () => {
  test('is for administrators, a page at a time, newest first', async () => {
    expect((await app.as(user).call(eventsApi.list)).status).toBe(403);
    expect((await app.anonymous().call(eventsApi.list)).status).toBe(404);
    const page = await app.as(app.admin).get(eventsApi.list, { query: { page_size: 3, page: 2 } });
    expect(page).toMatchObject({ page: 2, page_size: 3 });
    const times = page.results.map((event) => event.created_at);
    expect(times).toEqual([...times].sort().reverse());
    expect((await app.as(app.admin).call(eventsApi.list, { query: { page: 100_000 } })).status).toBe(400);
  });

  test('events of somebody who is gone stay, without a name', async () => {
    const leaver = await app.make.user({ pending: true });
    await app.as(leaver).json('POST', '/api/events', [view({ object_id: 'farewell' })]);
    await app.as(app.admin).json('DELETE', `/api/users/${leaver.id}`);
    expect((await latest()).find((event) => event.object_id === 'farewell')).toMatchObject({ user_id: null, user_name: null });
  });

  test('they are kept for a year', async () => {
    await sql`update events set created_at = now() - interval '366 days' where object_id = 'farewell'`.execute(app.ctx.db);
    await forgetOldEvents(app.ctx);
    const { rows } = await sql`select from events where object_id = 'farewell'`.execute(app.ctx.db);
    expect(rows).toEqual([]);
  });
});
