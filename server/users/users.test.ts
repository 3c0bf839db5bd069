import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { annotationsApi } from '@telltale/domain/dashboards/annotations.ts';
import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { groupsApi } from '@telltale/domain/groups/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { querySnippetsApi } from '@telltale/domain/query-snippets/contract.ts';
import { sessionApi } from '@telltale/domain/session/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { TestClient } from '../testing/client.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const admin = app.as(app.admin);

describe('reading people', () => {
  test('A6: the list needs list_users', async () => {
    const group = await app.make.group({ permissions: ['view_query'] });
    const user = await app.make.user({ groups: [], group_ids: [group.id] });
    const reply = await app.as(user).call(usersApi.list);
    expect(reply.status).toBe(403);
  });

  test('A7: the list carries group names, pages and finds by name and e-mail', async () => {
    await app.make.user({ name: 'Zoë 100% _Wild_', email: 'zoe@example.com' });
    const page = await admin.get(usersApi.list, { query: { q: '100% _w', page_size: 1 } });
    expect(page).toMatchObject({ count: 1, page: 1, page_size: 1 });
    expect(page.results[0]).toMatchObject({ name: 'Zoë 100% _Wild_', groups: [{ name: 'default' }] });
    expect((await admin.get(usersApi.list, { query: { q: 'ZOE@' } })).count).toBe(1);
    expect((await admin.get(usersApi.list, { query: { q: 'ZOË 1' } })).count).toBe(1);
    expect((await admin.get(usersApi.list, { query: { q: 'wild_zoe' } })).count).toBe(0);
    expect((await admin.get(usersApi.list, { query: { q: '%' } })).results.every((user) => user.name.includes('%'))).toBe(true);
  });

  test('server-behaviour 1.2: pages out of range are refused in the order of the reference', async () => {
    expect((await admin.call(usersApi.list, { query: { page: 0 } })).message).toBe('Page must be positive integer.');
    expect((await admin.call(usersApi.list, { query: { page: 999 } })).message).toBe('Page is out of range.');
    expect((await admin.call(usersApi.list, { query: { page_size: 251 } })).message).toBe('Page size is out of range (1-250).');
    expect((await admin.call(usersApi.list, { query: { page: 2, q: 'nobody at all' } })).status).toBe(404);
    expect((await admin.call(usersApi.list, { query: { page: 'x', page_size: 'y' } })).status).toBe(200);
  });

  test('A7: pending and disabled people are views of their own', async () => {
    const pending = await app.make.user({ pending: true });
    const disabled = await app.make.user();
    await admin.get(usersApi.disable, { params: { id: disabled.id } });
    const ids = async (query: object) =>
      (await admin.get(usersApi.list, { query: { page_size: 250, ...query } })).results.map((user) => user.id);
    expect(await ids({ pending: 'true' })).toContain(pending.id);
    expect(await ids({ pending: 'false' })).not.toContain(pending.id);
    expect(await ids({ disabled: 'true' })).toEqual([disabled.id]);
    expect((await admin.call(usersApi.list, { query: { pending: 'maybe' as 'true' } })).status).toBe(400);
  });

  test('design 8: the key is there for oneself and administrators only', async () => {
    const [ann, bob] = [await app.make.user(), await app.make.user()];
    expect((await app.as(ann).get(usersApi.get, { params: { id: ann.id } })).api_key).toBe(ann.api_key);
    expect((await admin.get(usersApi.get, { params: { id: ann.id } })).api_key).toBe(ann.api_key);
    expect((await app.as(bob).get(usersApi.get, { params: { id: ann.id } })).api_key).toBeUndefined();
  });

  test('A2, A3: everybody who sees an account sees its groups by name, also those that they are not in', async () => {
    const group = await app.make.group();
    const [ann, bob] = [await app.make.user({ group_ids: [group.id] }), await app.make.user()];
    const { groups, group_ids, named_groups } = await app.as(bob).get(usersApi.get, { params: { id: ann.id } });
    expect(group_ids).toEqual(groups);
    expect(named_groups.map(({ id }) => id)).toEqual(group_ids);
    expect(named_groups).toContainEqual({ id: group.id, name: group.name });
    const listed = (await admin.get(usersApi.list, { query: { q: ann.email } })).results[0];
    expect(listed?.group_ids).toEqual(listed?.groups.map(({ id }) => id));
  });

  test('a missing name is named, in an account and in a group', async () => {
    for (const path of ['/api/users', '/api/groups'])
      expect(await (await admin.json('POST', path, { email: 'nameless@example.com' })).json()).toMatchObject({
        message: 'Name is required.',
      });
  });

  test('the search has an index of trigrams wherever the extension can be had', async () => {
    const { rows } = await sql<{ has_trigrams: boolean; has_index: boolean }>`
      select exists (select from pg_extension where extname = 'pg_trgm') as has_trigrams,
        exists (select from pg_indexes where indexname = 'search_user_text') as has_index`.execute(app.ctx.db);
    expect(rows[0]?.has_index).toBe(rows[0]?.has_trigrams);
  });

  test('server-behaviour 1.1: unknown and impossible ids are 404', async () => {
    for (const id of [999_999, 99_999_999_999, 'abc', '1e3x', '-1']) {
      expect((await admin.call(usersApi.get, { params: { id } })).status).toBe(404);
    }
  });
});

describe('inviting', () => {
  test('A8: without mail the answer carries the link', async () => {
    const user = await admin.get(usersApi.create, { body: { name: 'New Person', email: 'New@Example.com' } });
    expect(user).toMatchObject({ email: 'new@example.com', is_invitation_pending: true });
    expect(user.invite_link).toMatch(/^\/invite\/\w{43}$/);
  });

  test.each([
    [{ name: 'X' }, /email/],
    [{ name: '', email: 'a@b.c' }, /Name is required/],
    [{ name: 'X', email: 'nope' }, /Bad email address/],
    [{ name: 'X'.repeat(321), email: 'a@b.c' }, /too long/],
    [{ name: 'X', email: 5 }, /email/],
    [[], /./],
  ])('1.1: %j is a 400 with a reason', async (body, reason) => {
    const reply = await admin.call(usersApi.create, { body: body as { name: string; email: string } });
    expect(reply.status).toBe(400);
    expect(reply.message).toMatch(reason);
  });

  test('server-behaviour 21.2: an e-mail is taken once, whatever its case', async () => {
    const reply = await admin.call(usersApi.create, { body: { name: 'Twin', email: 'ADMIN@example.com' } });
    expect(reply).toMatchObject({ status: 400, message: 'Email already taken.' });
  });

  test.each(['x@qq.com', 'X@Mailinator.com', 'x@a.b.mailinator.com', 'x@qq.com.'])(
    'server-behaviour 21.2: nobody is invited at %j',
    async (email) => {
      const refused = { status: 400, message: 'Bad email address.' };
      expect(await admin.call(usersApi.create, { body: { name: 'X', email } })).toMatchObject(refused);
      const params = { id: (await app.make.user()).id };
      expect(await admin.call(usersApi.save, { params, body: { email } })).toMatchObject(refused);
    },
  );

  test('a domain that only ends like a blocked one is not blocked', async () => {
    expect((await admin.call(usersApi.create, { body: { name: 'X', email: 'x@notqq.com' } })).status).toBe(200);
  });

  test('A4: only a pending invitation can be deleted, and not oneself', async () => {
    const [pending, active] = [await app.make.user({ pending: true }), await app.make.user()];
    expect((await admin.call(usersApi.remove, { params: { id: pending.id } })).status).toBe(200);
    expect((await admin.call(usersApi.remove, { params: { id: active.id } })).status).toBe(403);
    expect((await admin.call(usersApi.remove, { params: { id: app.admin.id } })).status).toBe(403);
    expect((await app.as(active).call(usersApi.remove, { params: { id: active.id } })).status).toBe(403);
  });
});

describe('deleting a pending user', () => {
  const remove = (id: number) => admin.call(usersApi.remove, { params: { id } });

  test('what they own is named, and they stay', async () => {
    const pending = await app.make.user({ name: 'Petra', pending: true });
    const source = await app.make.dataSource();
    const query = await app.make.query({ user_id: pending.id, data_source_id: source.id });
    await app.make.dashboard({ user_id: pending.id });
    const options = { column: 'a', op: '>', value: 1 };
    await app.as(pending).get(alertsApi.create, { body: { name: 'Hot', query_id: query.id, options } });
    await app.as(pending).get(querySnippetsApi.create, { body: { trigger: 'petra', description: '', snippet: 'select 1' } });
    expect(await remove(pending.id)).toMatchObject({
      status: 409,
      message: 'Petra owns 1 query, 1 dashboard, 1 alert and 1 query snippet. Disable this user instead.',
    });
    expect((await admin.call(usersApi.get, { params: { id: pending.id } })).status).toBe(200);
  });

  test('what they changed, noted or shared of others does not hold them', async () => {
    const pending = await app.make.user({ groups: ['admin', 'default'], pending: true });
    const theirs = app.as(pending);
    const source = await app.make.dataSource();
    const query = await app.make.query({ user_id: app.admin.id, data_source_id: source.id });
    const dashboard = await app.make.dashboard({ user_id: app.admin.id, is_draft: false });
    const params = { id: dashboard.id };
    await theirs.get(queriesApi.save, { params: { id: query.id }, body: { name: 'Renamed' } });
    await theirs.get(dashboardsApi.save, { params, body: { name: 'Renamed' } });
    await theirs.get(annotationsApi.create, { params, body: { at: '2026-05-01T10:00:00Z', text: 'Pump replaced' } });
    const { api_key } = await theirs.get(dashboardsApi.share, { params, body: {} });

    expect((await remove(pending.id)).status).toBe(200);
    expect(await admin.get(queriesApi.get, { params: { id: query.id } })).toMatchObject({ name: 'Renamed', last_modified_by: null });
    expect((await admin.get(dashboardsApi.get, { params: { id: String(dashboard.id) } })).name).toBe('Renamed');
    const span = { from: '2026-05-01T00:00:00Z', to: '2026-05-02T00:00:00Z' };
    const [note] = await admin.get(annotationsApi.list, { params, query: span });
    expect(note).toMatchObject({ text: 'Pump replaced', user_name: null });
    const changed = { at: '2026-05-01T10:00:00Z', text: 'Pump repaired' };
    const saved = await admin.get(annotationsApi.save, { params: { ...params, annotationId: note?.id ?? 0 }, body: changed });
    expect(saved).toMatchObject({ text: 'Pump repaired', user_name: null });
    // The secret address showed data in their name.
    expect((await app.anonymous().fetch(`/api/dashboards/public/${api_key}`)).status).toBe(404);
    expect((await admin.call(dashboardsApi.share, { params, body: {} })).status).toBe(200);
  });

  test('every column that names a user lets them go, except the owners of what is counted', async () => {
    const { rows } = await sql<{ column: string }>`
      select conrelid::regclass || '.' || attname as column from pg_constraint
      join pg_attribute on attrelid = conrelid and attnum = any(conkey)
      where confrelid = 'users'::regclass and contype = 'f' and confdeltype not in ('c', 'n') order by 1`.execute(app.ctx.db);
    expect(rows.map(({ column }) => column)).toEqual(['alerts.user_id', 'dashboards.user_id', 'queries.user_id', 'query_snippets.user_id']);
  });
});

describe('changing accounts', () => {
  test('A6: a plain user changes only their own account, never their groups', async () => {
    const [ann, bob] = [await app.make.user(), await app.make.user()];
    const client = app.as(ann);
    expect((await client.get(usersApi.save, { params: { id: ann.id }, body: { name: 'Ann B.' } })).name).toBe('Ann B.');
    expect((await client.call(usersApi.save, { params: { id: bob.id }, body: { name: 'x' } })).status).toBe(403);
    const groups = await client.call(usersApi.save, { params: { id: ann.id }, body: { group_ids: [1] } });
    expect(groups).toMatchObject({ status: 403, message: 'Must be admin to change groups membership.' });
  });

  test('security 19: columns that are not part of the contract change nothing', async () => {
    const user = await app.make.user();
    const body = {
      name: 'Same',
      is_disabled: true,
      permissions: ['admin'],
      org_id: 7,
      api_key: 'mine',
      password_hash: 'x',
      id: 1,
      groups: [1],
    };
    await app.as(user).call(usersApi.save, { params: { id: user.id }, body });
    const after = await app.as(user).get(sessionApi.get);
    expect(after.user.permissions).not.toContain('admin');
    expect(await app.make.keyOf(user.id)).toBe(user.api_key);
  });

  test('server-behaviour 21.2: a new password needs the current one and six characters', async () => {
    const user = await app.make.user();
    const save = (body: object) => app.as(user).call(usersApi.save, { params: { id: user.id }, body });
    expect(await save({ password: 'abcdefg' })).toMatchObject({
      status: 403,
      message: 'Must provide current password to update password.',
    });
    expect(await save({ password: 'abcdefg', old_password: 'wrong' })).toMatchObject({
      status: 403,
      message: 'Incorrect current password.',
    });
    expect((await save({ password: 'abc', old_password: user.password })).status).toBe(400);
    expect((await save({ password: 'abcdefg', old_password: user.password })).status).toBe(200);
    expect((await app.anonymous().signIn(user.email, 'abcdefg')).status).toBe(200);
    expect((await app.anonymous().signIn(user.email, user.password)).status).toBe(400);
  });

  test('A6: an administrator cannot set somebody else’s password', async () => {
    const user = await app.make.user();
    const reply = await admin.call(usersApi.save, { params: { id: user.id }, body: { password: 'abcdefg', old_password: user.password } });
    expect(reply.status).toBe(403);
  });

  test('server-behaviour 21.2: unknown groups are named, e-mails stay unique', async () => {
    const user = await app.make.user();
    const save = (body: object) => admin.call(usersApi.save, { params: { id: user.id }, body });
    expect(await save({ group_ids: [2, 777] })).toMatchObject({ status: 400, message: 'Group id 777 is invalid.' });
    const old_password = app.admin.password;
    expect(await save({ email: 'admin@example.com', old_password })).toMatchObject({ status: 400, message: 'Email already taken.' });
  });

  test('security 16: a key alone does not change an e-mail address; the password or a recent sign-in does', async () => {
    const user = await app.make.user();
    const save = (client: TestClient, body: object) => client.call(usersApi.save, { params: { id: user.id }, body });
    const byKey = app.as(user);
    expect(await save(byKey, { email: 'stolen@example.com' })).toMatchObject({
      status: 403,
      message: 'Please enter your current password to change the email address.',
    });
    expect(await save(byKey, { email: 'stolen@example.com', old_password: 'wrong' })).toMatchObject({ status: 403 });
    expect(await save(byKey, { email: 'moved-1@example.com', old_password: user.password })).toMatchObject({ status: 200 });
    const session = app.anonymous();
    await session.signIn('moved-1@example.com', user.password);
    expect(await save(session, { email: 'moved-2@example.com' })).toMatchObject({ status: 200 });
    await sql`update sessions set created_at = now() - interval '11 minutes' where user_id = ${user.id}`.execute(app.ctx.db);
    expect(await save(session, { email: 'moved-3@example.com' })).toMatchObject({ status: 403 });
  });

  test('design 8: a regenerated key works at once and the old one no more', async () => {
    const user = await app.make.user();
    const { api_key = '' } = await app.as(user).get(usersApi.regenerateKey, { params: { id: user.id } });
    expect(api_key).toMatch(/^[A-Za-z0-9]{40}$/);
    expect((await app.as(user).call(sessionApi.get)).status).toBe(404);
    expect((await app.as({ api_key }).call(sessionApi.get)).status).toBe(200);
  });

  test('A4: a disabled user is out at once, session and key, and can come back', async () => {
    const user = await app.make.user();
    const browser = await app.signedIn(user);
    await admin.get(usersApi.disable, { params: { id: user.id } });
    expect((await browser.call(sessionApi.get)).status).toBe(404);
    expect((await app.as(user).call(sessionApi.get)).status).toBe(404);
    expect((await app.anonymous().signIn(user.email, user.password)).status).toBe(400);
    await admin.get(usersApi.enable, { params: { id: user.id } });
    expect((await app.as(user).call(sessionApi.get)).status).toBe(200);
  });

  test('20: the last administrator cannot be disabled, demoted or removed', async () => {
    const other = await app.make.user({ groups: ['admin', 'default'] });
    const second = app.as(other);
    expect((await second.call(usersApi.disable, { params: { id: app.admin.id } })).status).toBe(200);
    expect((await second.call(usersApi.disable, { params: { id: other.id } })).status).toBe(403);
    expect((await second.call(usersApi.save, { params: { id: other.id }, body: { group_ids: [2] } })).status).toBe(400);
    expect((await second.call(usersApi.enable, { params: { id: app.admin.id } })).status).toBe(200);
    const [adminGroup] = (await second.get(groupsApi.list)) as { id: number; name: string }[];
    expect(adminGroup?.name).toBe('admin');
    expect((await second.call(groupsApi.removeMember, { params: { id: adminGroup?.id ?? 0, userId: other.id } })).status).toBe(400);
    expect((await second.call(groupsApi.removeMember, { params: { id: adminGroup?.id ?? 0, userId: app.admin.id } })).status).toBe(200);
  });
});

test('server-behaviour 1.7: at most 50 invitations are mailed in an hour and 200 in a day from one address; links that are shown are not limited', async () => {
  const env = { TELLTALE_BLOCKED_EMAIL_DOMAINS: 'example.org', SMTP_URL: 'smtp://127.0.0.1:9', PUBLIC_URL: 'https://console.example/' };
  const other = await testApp({ env });
  const client = other.as(other.admin);
  let made = 0;
  const create = (query = {}) => client.call(usersApi.create, { query, body: { name: 'X', email: `x-${++made}@qq.com` } });
  const nextHour = () => sql`delete from attempts where key like 'invitations, hour %'`.execute(other.ctx.db);
  for (let hour = 0; hour < 4; hour++) {
    await nextHour();
    for (let count = 0; count < 50; count++) expect((await create()).status).toBe(200);
    expect(await create()).toMatchObject({ status: 429, message: expect.stringContaining('50 invitations can be mailed in an hour') });
  }
  await nextHour();
  expect(await create()).toMatchObject({ status: 429, message: expect.stringContaining('200 invitations can be mailed in a day') });
  expect((await create({ no_invite: '1' })).status).toBe(200);
});
