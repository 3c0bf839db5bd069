import { auditApi } from '@telltale/domain/audit/contract.ts';
import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { groupsApi } from '@telltale/domain/groups/contract.ts';
import { organizationApi } from '@telltale/domain/organization/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { TestClient } from '../testing/client.ts';
import { testApp } from '../testing/test-app.ts';
import { forgetOldAudit } from './audit.ts';
import { callWords } from './call-words.ts';

const app = await testApp();
const admin = app.as(app.admin);
const log = (query: Record<string, unknown> = {}) => admin.get(auditApi.list, { query: query as never });
const newest = async (query: Record<string, unknown> = {}) => (await log(query)).results[0];

describe('the audit log', () => {
  test('a changing call is noted with who, from where, what and which object, without values', async () => {
    const group = await admin.get(groupsApi.create, { body: { name: 'Night shift' } });
    expect(await newest()).toMatchObject({
      user: { id: app.admin.id, name: 'admin', email: app.admin.email },
      key: 'API key',
      address: '127.0.0.1',
      action: 'create',
      object_type: 'group',
      object_id: String(group.id),
      object_name: 'Night shift',
      details: { fields: ['name'] },
    });
    await admin.get(groupsApi.save, { params: { id: group.id }, body: { name: 'Day shift' } });
    expect(await newest()).toMatchObject({ action: 'edit', object_id: String(group.id), object_name: 'Night shift' });
    await admin.get(groupsApi.remove, { params: { id: group.id } });
    expect(await newest()).toMatchObject({ action: 'delete', object_type: 'group', object_name: 'Day shift' });
  });

  test('what fails, reads or only tries is not noted', async () => {
    const before = (await log()).count;
    await admin.call(groupsApi.remove, { params: { id: 999_999 } });
    await admin.get(groupsApi.list);
    await admin.json('POST', '/api/events', [{ action: 'view', object_type: 'page' }]);
    await admin.json('POST', '/api/queries/format', { query: 'select 1' });
    expect((await log()).count).toBe(before);
  });

  test('a sign-in and a failed one are noted with their address; a password never is', async () => {
    const person = await app.make.user({ name: 'Nora Night' });
    await app.signedIn(person);
    expect(await newest({ action: 'login' })).toMatchObject({ user: { id: person.id, name: 'Nora Night' }, address: '127.0.0.1' });
    await app.anonymous().signIn(person.email, 'a wrong secret');
    expect(await newest({ action: 'login failed' })).toMatchObject({ user: null, details: { email: person.email } });
    const secrets = ['a wrong secret', person.password, person.api_key, app.admin.api_key];
    await admin.json('POST', `/api/users/${person.id}`, { name: 'Nora', password: 'another good one', old_password: person.password });
    const { rows } = await sql<{ text: string }>`select string_agg(audit_log::text, ' ') as text from audit_log`.execute(app.ctx.db);
    for (const secret of [...secrets, 'another good one']) expect(rows[0]?.text).not.toContain(secret);
  });

  test('it is searched by person, action, object and time', async () => {
    const author = await app.make.user({ name: 'Quinn' });
    const source = await app.make.dataSource();
    const query = await app.as(author).get(queriesApi.create, { body: { name: 'Pumps', query: 'select 1', data_source_id: source.id } });
    await app.as(author).get(channelsApi.create, { body: { channel_id: 'quay', channel_name: 'The quay' } });
    expect((await log({ user_id: author.id })).results.map(({ object_type }) => object_type)).toEqual(['channel', 'query']);
    expect((await log({ object_type: 'query', object_id: String(query.id) })).count).toBe(1);
    expect((await log({ q: 'the QUAY' })).count).toBe(1);
    expect((await log({ q: '100%_' })).count).toBe(0);
    expect((await log({ user_id: author.id, to: '2020-01-01' })).count).toBe(0);
    expect((await log({ user_id: author.id, from: new Date(Date.now() - 60_000).toISOString() })).count).toBe(2);
    expect((await admin.json('GET', '/api/audit?from=yesterday')).status).toBe(400);
    const { actions, object_types } = await admin.get(auditApi.choices);
    expect(actions).toContain('create');
    expect(object_types).toContain('channel');
  });

  test('security 33: as CSV, with formulas defused', async () => {
    await admin.get(groupsApi.create, { body: { name: '=HYPERLINK("x"),"y"' } });
    const answer = await admin.fetch('/api/audit?format=csv&object_type=group&action=create');
    expect(answer.headers.get('content-disposition')).toContain('audit-log.csv');
    const lines = (await answer.text()).trim().split('\r\n');
    expect(lines[0]).toBe('at,user_id,user,email,key,address,action,object_type,object_id,object_name,details');
    expect(lines[1]).toContain(`"'=HYPERLINK(""x""),""y"""`);
    expect(lines).toHaveLength((await log({ object_type: 'group', action: 'create' })).count + 1);
  });

  test('the CSV leaves no entry out, and repeats none, however many came within one millisecond', async () => {
    const many = 2500;
    await sql`insert into audit_log (at, address, action, object_type, object_id)
      select timestamptz '2026-01-01' + n * interval '1 microsecond', '127.0.0.1', 'counted', 'test', n::text
      from generate_series(1, ${many}::int) as n order by md5(n::text)`.execute(app.ctx.db);
    const text = await (await admin.fetch('/api/audit?format=csv&action=counted')).text();
    const ids = [...text.matchAll(/,counted,test,(\d+),/g)].map(([, id]) => Number(id));
    expect(ids).toEqual(Array.from({ length: many }, (_, place) => many - place));
  });

  test('a change in a transaction and its entry are stored together or not at all', async () => {
    await sql`create function refuse_entry() returns trigger language plpgsql as $$ begin raise 'no room'; end $$`.execute(app.ctx.db);
    await sql`create trigger refuse_entry before insert on audit_log for each row when (new.object_type = 'group')
      execute function refuse_entry()`.execute(app.ctx.db);
    try {
      expect((await admin.call(groupsApi.create, { body: { name: 'Unrecorded' } })).status).toBe(500);
    } finally {
      await sql`drop trigger refuse_entry on audit_log`.execute(app.ctx.db);
    }
    expect(await admin.get(groupsApi.list, { query: { q: 'Unrecorded' } })).toEqual([]);
    const { count } = await log({ object_type: 'user' });
    await admin.call(usersApi.create, { body: { name: 'Twice', email: app.admin.email } });
    expect((await log({ object_type: 'user' })).count).toBe(count);
  });

  test('signing out is recorded, by page and by call, and only when somebody was signed in', async () => {
    const person = await app.make.user({ name: 'Olga Out' });
    for (const leave of [
      (browser: TestClient) => browser.fetch('/logout'),
      (browser: TestClient) => browser.json('POST', '/console/api/auth/logout'),
    ]) {
      const { count } = await log({ action: 'logout' });
      const browser = await app.signedIn(person);
      await leave(browser);
      await leave(browser);
      const after = await log({ action: 'logout' });
      expect(after.count).toBe(count + 1);
      expect(after.results[0]?.user).toMatchObject({ id: person.id, name: 'Olga Out' });
    }
  });

  test('an accepted invitation and a password that was set by a link are recorded with the account', async () => {
    const { id, invite_link = '' } = await admin.get(usersApi.create, { body: { name: 'Ina Invited', email: 'ina@example.com' } });
    await app.anonymous().json('POST', invite_link, { password: 'the first password' });
    expect(await newest({ action: 'invitation accepted' })).toMatchObject({ user: { id, name: 'Ina Invited' } });
    const { reset_link = '' } = await admin.get(usersApi.resetPassword, { params: { id } });
    await app.anonymous().json('POST', reset_link, { password: 'the second password' });
    expect(await newest({ action: 'password reset' })).toMatchObject({ user: { id }, address: '127.0.0.1' });
  });

  test('one address cannot fill the log with sign-ins that nobody began', async () => {
    await admin.json('POST', '/api/settings/organization', {
      auth_oidc_enabled: true,
      auth_oidc_issuer: 'http://127.0.0.1:9',
      auth_oidc_client_id: 'x',
    });
    for (let turn = 0; turn < 60; turn++) await app.anonymous().fetch(`/oidc/callback?state=${turn}`);
    const { count, results } = await log({ action: 'login failed', q: 'session' });
    expect(results[0]).toMatchObject({ user: null, details: { method: 'oidc', reason: expect.stringContaining('expired') } });
    expect(count).toBeLessThanOrEqual(51);
  });

  test('it is for administrators, and is forgotten after the days of the setting', async () => {
    const plain = await app.make.user();
    expect((await app.as(plain).call(auditApi.list)).status).toBe(403);
    await sql`update audit_log set at = now() - interval '731 days' where object_name = 'The quay'`.execute(app.ctx.db);
    const before = (await log()).count;
    const { settings } = await admin.get(organizationApi.settings);
    expect(settings.audit_days).toBe(730);
    await forgetOldAudit(app.ctx, settings.audit_days);
    expect((await log()).count).toBe(before - 1);
  });
});

test.each([
  ['POST', '/api/queries', {}, 'create', 'query', null],
  ['POST', '/api/queries/:id', { id: '7' }, 'edit', 'query', '7'],
  ['DELETE', '/api/queries/:id', { id: '7' }, 'delete', 'query', '7'],
  ['POST', '/api/alerts/:id/mute', { id: '7' }, 'mute', 'alert', '7'],
  ['DELETE', '/api/alerts/:id/mute', { id: '7' }, 'remove mute', 'alert', '7'],
  ['DELETE', '/api/groups/:id/members/:userId', { id: '7', userId: '3' }, 'remove member', 'group', '7/3'],
  ['POST', '/api/groups/:id/channels', { id: '7' }, 'add channel', 'group', '7'],
  ['POST', '/api/downlink-commands/:id/send', { id: '7' }, 'send', 'command', '7'],
  ['POST', '/api/settings/organization', {}, 'organization', 'settings', null],
])('%s %s is told in words', (method, path, params, action, object_type, object_id) => {
  expect(callWords(method, path, params)).toMatchObject({ action, object_type, object_id });
});
