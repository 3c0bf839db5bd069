import { dashboardAclApi, dashboardsApi, PublicDashboard, unsafeShareMessage } from '@telltale/domain/dashboards/contract.ts';
import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const admin = app.as(app.admin);
const ann = await app.make.user({ name: 'Ann', email: 'ann-the-owner@example.com' });
const source = await app.make.dataSource({ name: 'Canary source' });
const query = await app.make.query({ data_source_id: source.id, user_id: ann.id, name: 'Shown', query: 'select canary_column' });
const of = (id: number) => ({ params: { id } });

async function board(user = ann, visualizations = [query.visualization_id]) {
  const { id } = await app.make.dashboard({ user_id: user.id, name: 'Cold rooms', is_draft: false });
  for (const visualization_id of visualizations) await app.make.widget({ dashboard_id: id, visualization_id });
  return id;
}
const share = async (id: number, body: { expires_at?: string | null; rotate?: boolean } = {}, user: { api_key: string } = ann) =>
  app.as(user).get(dashboardsApi.share, { ...of(id), body });
const open = (token: string) => app.anonymous().call(dashboardsApi.public, { params: { token } });
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

describe('server-behaviour 16.2 and W7: the secret address', () => {
  test('is absolute, 40 characters long, and the same however often it is shared', async () => {
    const id = await board();
    const first = await share(id);
    expect(first).toMatchObject({ public_url: `${app.origin}/public/dashboards/${first.api_key}`, expires_at: null, view_count: 0 });
    expect(first.api_key).toMatch(/^[A-Za-z0-9]{40}$/);
    expect((await share(id)).api_key).toBe(first.api_key);
    const { rows } = await sql`select from dashboard_shares where dashboard_id = ${id}`.execute(app.ctx.db);
    expect(rows).toHaveLength(1);
  });

  test('opens the dashboard in exactly the shape of 16.5', async () => {
    const id = await board();
    await app.make.widget({ dashboard_id: id, text: '# Words', options: { position: { col: 3 }, note: 'private note' } });
    const { api_key } = await share(id);
    const { body } = await open(api_key);
    expect(Object.keys(body).sort()).toEqual(Object.keys(PublicDashboard.shape).sort());
    expect(body).toMatchObject({
      name: 'Cold rooms',
      widgets: [
        { visualization: { type: 'TABLE', query: { id: query.id, name: 'Shown' } } },
        { text: '# Words', options: { position: { col: 3 } } },
      ],
    });
    const raw = JSON.stringify(body);
    for (const secret of [
      'canary',
      'ann-the-owner',
      '"email"',
      'api_key',
      'query_hash',
      'data_source',
      'user',
      'private note',
      'version',
    ]) {
      expect(raw).not.toContain(secret);
    }
  });

  test('is shown to the owner and to administrators only (W6)', async () => {
    const id = await board();
    const { public_url, api_key } = await share(id);
    const ben = await app.make.user();
    await app.as(ann).get(dashboardAclApi.grant, { ...of(id), body: { access_type: 'modify', user_id: ben.id } });
    const read = (client: typeof admin) => client.get(dashboardsApi.get, { params: { id: String(id) } });
    for (const client of [app.as(ann), admin]) expect(await read(client)).toMatchObject({ public_url, api_key, publicAccessEnabled: true });
    const seen = await read(app.as(ben));
    expect(seen.publicAccessEnabled).toBe(true);
    expect(JSON.stringify(seen)).not.toContain(api_key);
  });

  test('lies in the database only as a hash and sealed', async () => {
    const id = await board();
    const { api_key } = await share(id);
    const { rows } = await sql`select * from dashboard_shares where dashboard_id = ${id}`.execute(app.ctx.db);
    expect(JSON.stringify(rows) + Buffer.from(JSON.stringify(rows)).toString('base64')).not.toContain(api_key);
  });

  test('is dead at once when it is taken back, and sharing again gives another one', async () => {
    const id = await board();
    const { api_key } = await share(id);
    expect((await open(api_key)).status).toBe(200);
    expect((await app.as(ann).call(dashboardsApi.unshare, of(id))).body).toBeNull();
    expect((await open(api_key)).status).toBe(404);
    expect((await app.as(ann).call(dashboardsApi.unshare, of(id))).status).toBe(200);
    const again = await share(id);
    expect(again.api_key).not.toBe(api_key);
    expect((await open(api_key)).status).toBe(404);
  });

  test('can be replaced, with the same end', async () => {
    const id = await board();
    const { api_key } = await share(id, { expires_at: inHours(5) });
    const rotated = await share(id, { rotate: true });
    expect(rotated.api_key).not.toBe(api_key);
    expect(Date.parse(rotated.expires_at ?? '')).toBeGreaterThan(Date.now());
    expect([(await open(api_key)).status, (await open(rotated.api_key)).status]).toEqual([404, 200]);
  });

  test('ends when its time has come, and sharing again starts anew', async () => {
    const id = await board();
    const { api_key, expires_at } = await share(id, { expires_at: inHours(1) });
    expect(expires_at).not.toBeNull();
    expect((await open(api_key)).status).toBe(200);
    await sql`update dashboard_shares set expires_at = now() - interval '1 second' where dashboard_id = ${id}`.execute(app.ctx.db);
    expect((await open(api_key)).status).toBe(404);
    expect((await app.as(ann).get(dashboardsApi.get, { params: { id: String(id) } })).publicAccessEnabled).toBe(false);
    const again = await share(id);
    expect(again.api_key).not.toBe(api_key);
    expect(again.expires_at).toBeNull();
    expect((await share(id, { expires_at: inHours(2) })).api_key).toBe(again.api_key);
    expect((await share(id, { expires_at: null })).expires_at).toBeNull();
  });

  test.each([inHours(-1), 'tomorrow', 5, '2999-99-99', {}])('an end of %j is refused', async (expires_at) => {
    const id = await board();
    expect((await app.as(ann).json('POST', `/api/dashboards/${id}/share`, { expires_at })).status).toBe(400);
  });

  test('dies with the dashboard, and does not come back with it', async () => {
    const id = await board();
    const { api_key } = await share(id);
    await app.as(ann).get(dashboardsApi.archive, of(id));
    expect((await open(api_key)).status).toBe(404);
    await app.as(ann).get(dashboardsApi.save, { ...of(id), body: { is_archived: false } });
    expect((await open(api_key)).status).toBe(404);
  });

  test('dies with the account of its sharer', async () => {
    const carl = await app.make.user();
    const id = await board(carl);
    const { api_key } = await share(id, {}, carl);
    await admin.get(usersApi.disable, of(carl.id));
    expect((await open(api_key)).status).toBe(404);
    await admin.get(usersApi.enable, of(carl.id));
    expect((await open(api_key)).status).toBe(200);
  });

  test('counts how often it was opened', async () => {
    const id = await board();
    const { api_key } = await share(id);
    for (let i = 0; i < 3; i++) await open(api_key);
    await open('x'.repeat(40));
    const seen = await app.as(ann).get(dashboardsApi.get, { params: { id: String(id) } });
    expect(seen.share).toMatchObject({ view_count: 3, last_viewed_at: expect.any(String) });
  });

  test('design 8: unknown, taken back, archived: the same answer, without a hint to sign in', async () => {
    const id = await board();
    const { api_key } = await share(id);
    await app.as(ann).get(dashboardsApi.unshare, of(id));
    const answers = await Promise.all(
      [api_key, 'x'.repeat(40), query.api_key, ann.api_key, `${api_key}x`, "' or 1=1 --", '%', '<script>'].map(async (token) => {
        const response = await app.anonymous().fetch(`/api/dashboards/public/${encodeURIComponent(token)}`);
        return `${response.status} ${await response.text()}`;
      }),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^404 (?!.*login)/i);
  });

  test('a person who is signed in needs the token as well', async () => {
    const id = await board();
    const { api_key } = await share(id);
    const browser = await app.signedIn(ann);
    expect((await browser.call(dashboardsApi.public, { params: { token: api_key } })).status).toBe(200);
    expect((await browser.call(dashboardsApi.public, { params: { token: 'x'.repeat(40) } })).status).toBe(404);
  });
});

describe('who may share what', () => {
  test('D5: not with text parameters, nor with placeholders that nobody declared', async () => {
    const text = [{ name: 'p', type: 'text', value: 'x' }];
    const unsafe = await app.make.query({
      data_source_id: source.id,
      user_id: ann.id,
      query: 'select {{p}}',
      options: { parameters: text },
    });
    const undeclared = await app.make.query({ data_source_id: source.id, user_id: ann.id, query: 'select {{p}}' });
    for (const { visualization_id } of [unsafe, undeclared]) {
      const reply = await app
        .as(ann)
        .call(dashboardsApi.share, { ...of(await board(ann, [query.visualization_id, visualization_id])), body: {} });
      expect(reply).toMatchObject({ status: 400, message: unsafeShareMessage });
    }
  });

  test('nobody opens to the world what they may not see themselves', async () => {
    const few = await app.make.group();
    const hidden = await app.make.dataSource({ groups: { [few.id]: false } });
    const secret = await app.make.query({ data_source_id: hidden.id, user_id: app.admin.id, name: 'Secret' });
    const id = await board(ann, [secret.visualization_id]);
    expect((await app.as(ann).call(dashboardsApi.share, { ...of(id), body: {} })).status).toBe(403);
    const { api_key } = await share(id, {}, app.admin);
    expect((await open(api_key)).body.widgets).toMatchObject([{ visualization: { query: { name: 'Secret' } } }]);
  });

  test('what they may not see any more is restricted for everybody', async () => {
    const few = await app.make.group();
    const dora = await app.make.user({ group_ids: [few.id] });
    const hidden = await app.make.dataSource({ groups: { [few.id]: false } });
    const secret = await app.make.query({ data_source_id: hidden.id, user_id: app.admin.id, name: 'Secret' });
    const id = await board(dora, [secret.visualization_id]);
    const { api_key } = await share(id, {}, dora);
    expect((await open(api_key)).body.widgets[0]?.visualization).toBeDefined();
    await sql`delete from memberships where group_id = ${few.id}`.execute(app.ctx.db);
    const { body } = await open(api_key);
    expect(body.widgets).toMatchObject([{ restricted: true }]);
    expect(JSON.stringify(body)).not.toContain('Secret');
  });

  test('not another person’s, not without edit_dashboard, not one that does not exist', async () => {
    const [id, eve] = [await board(), await app.make.user()];
    expect((await app.as(eve).call(dashboardsApi.share, { ...of(id), body: {} })).status).toBe(403);
    expect((await app.as(eve).call(dashboardsApi.unshare, of(id))).status).toBe(403);
    expect((await app.as(ann).call(dashboardsApi.share, { ...of(999_999), body: {} })).status).toBe(404);
  });
});

test('security 23: administrators see all shared dashboards, their sharers and their views', async () => {
  const id = await board();
  const { api_key } = await share(id, { expires_at: inHours(3) });
  await open(api_key);
  const listed = await admin.get(dashboardsApi.shared);
  expect(listed[0]).toMatchObject({
    dashboard_id: id,
    shared_by: { id: ann.id, name: 'Ann' },
    view_count: 1,
    url: `/dashboards/${id}-cold-rooms`,
  });
  expect(JSON.stringify(listed)).not.toContain(api_key);
  await app.as(ann).get(dashboardsApi.unshare, of(id));
  expect((await admin.get(dashboardsApi.shared)).some(({ dashboard_id }) => dashboard_id === id)).toBe(false);
  expect((await app.as(ann).call(dashboardsApi.shared)).status).toBe(403);
});

describe('disable_public_urls', () => {
  test('nothing is shared, nothing is open, and everything is as before when it is off again', async () => {
    const id = await board();
    const { api_key } = await share(id);
    const token = app.as({ api_key });
    await admin.get(organizationApi.saveSettings, { body: { disable_public_urls: true } });
    expect(await open(api_key)).toMatchObject({ status: 400, message: 'Public URLs are disabled.' });
    expect(await app.as(ann).call(dashboardsApi.share, { ...of(id), body: {} })).toMatchObject({
      status: 400,
      message: 'Public URLs are disabled.',
    });
    expect((await token.json('POST', `/api/queries/${query.id}/results`, {})).status).toBe(404);
    const seen = await app.as(ann).get(dashboardsApi.get, { params: { id: String(id) } });
    expect(seen).toMatchObject({ publicAccessEnabled: false });
    expect(seen.public_url).toBeUndefined();
    expect((await app.as(ann).call(dashboardsApi.unshare, of(await board()))).status).toBe(200);
    await admin.get(organizationApi.saveSettings, { body: { disable_public_urls: false } });
    expect((await open(api_key)).status).toBe(200);
  });
});

test('security 32: opening shared dashboards has a limit for each address', async () => {
  const { api_key } = await share(await board());
  await sql`delete from attempts`.execute(app.ctx.db);
  const statuses: number[] = [];
  for (let batch = 0; batch < 13; batch++) {
    statuses.push(...(await Promise.all(Array.from({ length: 10 }, async () => (await open(api_key)).status))));
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(120);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  await sql`delete from attempts`.execute(app.ctx.db);
});
