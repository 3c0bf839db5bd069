import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { annotationsApi } from '@telltale/domain/dashboards/annotations.ts';
import { dashboardAclApi, dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const ann = await app.make.user({ name: 'Ann' });
const owner = app.as(ann);
const ben = await app.make.user({ name: 'Ben' });
const other = app.as(ben);
const source = await app.make.dataSource();
const query = await app.make.query({ data_source_id: source.id, user_id: ann.id });
const { id } = await app.make.dashboard({ user_id: ann.id, is_draft: false });
const params = { id };
const span = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
const list = (client = owner) => client.get(annotationsApi.list, { params, query: span });

test('an editor notes a moment or a span and deletes it again; others read it', async () => {
  const note = await owner.get(annotationsApi.create, { params, body: { at: '2026-01-10T10:00:00Z', text: ' Door open ' } });
  expect(note).toMatchObject({ kind: 'note', text: 'Door open', until: null, user_name: 'Ann', alert_id: null });
  const body = { at: '2025-12-31T00:00:00Z', until: '2026-01-02T00:00:00Z', text: 'Maintenance' };
  await owner.get(annotationsApi.create, { params, body });
  expect((await list(other)).map(({ text }) => text)).toEqual(['Door open', 'Maintenance']);
  expect((await owner.call(annotationsApi.remove, { params: { id, annotationId: note.id ?? 0 } })).status).toBe(200);
  expect((await owner.call(annotationsApi.remove, { params: { id, annotationId: note.id ?? 0 } })).status).toBe(404);
  expect((await list()).map(({ text }) => text)).toEqual(['Maintenance']);
});

test('only editors of the dashboard change the text and the time of a note, also of other authors', async () => {
  const { id: own } = await app.make.dashboard({ user_id: ann.id, is_draft: false });
  const note = await owner.get(annotationsApi.create, { params: { id: own }, body: { at: '2026-01-10T10:00:00Z', text: 'Dor open' } });
  const call = {
    params: { id: own, annotationId: note.id ?? 0 },
    body: { at: '2026-01-10T11:00:00Z', until: '2026-01-10T12:00:00Z', text: 'Door open' },
  };
  expect((await other.call(annotationsApi.save, call)).status).toBe(403);
  await owner.get(dashboardAclApi.grant, { params: { id: own }, body: { access_type: 'modify', user_id: ben.id } });
  expect(await other.get(annotationsApi.save, call)).toMatchObject({ ...call.body, id: note.id, user_name: 'Ann' });
  expect((await owner.call(annotationsApi.save, { ...call, params: { id, annotationId: note.id ?? 0 } })).status).toBe(404);
  expect((await owner.call(annotationsApi.save, { ...call, body: { ...call.body, text: ' ' } })).status).toBe(400);
  expect((await owner.call(annotationsApi.save, { ...call, body: { ...call.body, until: call.body.at } })).status).toBe(400);
  expect((await other.call(annotationsApi.remove, { params: call.params })).status).toBe(200);
});

test.each([
  [{ at: '2026-01-10T10:00:00Z', text: '  ' }],
  [{ at: 'yesterday', text: 'x' }],
  [{ at: '2026-01-10T10:00:00Z', until: '2026-01-10T09:00:00Z', text: 'x' }],
  [{ at: '2026-01-10T10:00:00Z', text: 'x'.repeat(501) }],
])('%j is refused', async (body) => {
  expect((await owner.call(annotationsApi.create, { params, body })).status).toBe(400);
});

test('who may not edit the dashboard notes nothing on it', async () => {
  const body = { at: '2026-01-10T10:00:00Z', text: 'mine' };
  expect((await other.call(annotationsApi.create, { params, body })).status).toBe(403);
  const [note] = await list();
  expect((await other.call(annotationsApi.remove, { params: { id, annotationId: note?.id ?? 0 } })).status).toBe(403);
  const { id: elsewhere } = await app.make.dashboard({ user_id: ann.id });
  expect((await owner.call(annotationsApi.remove, { params: { id: elsewhere, annotationId: note?.id ?? 0 } })).status).toBe(404);
});

test('changes of an alert on a query of the dashboard are marked, for viewers who may see the alert', async () => {
  await sql`
    with picture as (insert into visualizations (query_id, type, name, options) values (${query.id}, 'CHART', 'C', '{}') returning id),
    widget as (insert into widgets (dashboard_id, visualization_id, text, width, options) select ${id}, id, '', 1, '{}' from picture),
    alert as (
      insert into alerts (org_id, user_id, kind, query_id, name, options)
      select org_id, id, 'query', ${query.id}, 'Too warm', '{}' from users where id = ${ann.id} returning id)
    insert into alert_evaluations (alert_id, evaluated_at, state, previous_state, notified, outcome, reason)
    select id, at::timestamptz, state, previous, false, 'none', '' from alert, (values
      ('2026-01-05T00:00:00Z', 'triggered', 'ok'), ('2026-01-05T01:00:00Z', 'triggered', 'triggered'), ('2026-01-06T00:00:00Z', 'ok', 'triggered'))
      as one(at, state, previous)`.execute(app.ctx.db);
  const marks = (await list()).filter(({ kind }) => kind === 'alert');
  expect(marks.map(({ text, state, id: own }) => [text, state, own])).toEqual([
    ['Too warm', 'ok', null],
    ['Too warm', 'triggered', null],
  ]);
  const group = await app.make.group({ permissions: ['list_dashboards'] });
  const looker = app.as(await app.make.user({ groups: [], group_ids: [group.id] }));
  expect((await list(looker)).filter(({ kind }) => kind === 'alert')).toEqual([]);
});

test('the secret address and the key of a query give text and time, and only of alerts that they may see', async () => {
  const { api_key } = await owner.get(dashboardsApi.share, { params, body: {} });
  const anonymous = app.anonymous();
  const read = () => anonymous.call(annotationsApi.public, { params: { token: api_key }, query: span });
  const shown = [
    { at: expect.any(String), until: '2026-01-02T00:00:00Z', text: 'Maintenance' },
    { at: '2026-01-06T00:00:00Z', until: null, text: 'Too warm: back to normal' },
    { at: '2026-01-05T00:00:00Z', until: null, text: 'Too warm: triggered' },
  ];
  const { body } = await read();
  expect(body).toEqual(shown);
  expect(JSON.stringify(body)).not.toMatch(/Ann|user|alert_id|"id"/);

  const key = query.api_key;
  const byKey = (client: ReturnType<typeof app.as>) => client.call(annotationsApi.ofQuery, { params: { id: query.id }, query: span });
  expect((await byKey(app.as({ api_key: key }))).body).toEqual(shown.slice(1));
  const elsewhere = await app.make.query({ data_source_id: source.id, user_id: ann.id });
  const reads = await app.as({ api_key: key }).call(annotationsApi.ofQuery, { params: { id: elsewhere.id }, query: span });
  expect(reads.status).toBe(404);
  expect((await byKey(anonymous)).status).toBe(404);

  // An alert on devices watches a channel, which a reader of the address does not see.
  await app.as(app.admin).get(channelsApi.create, { body: { channel_id: 'hall', channel_name: 'Hall' } });
  await sql`update queries set device_query = '{"channel_id": "hall", "device_ids": [], "attributes": []}' where id = ${query.id}`.execute(
    app.ctx.db,
  );
  await sql`
    with alert as (
      insert into alerts (org_id, user_id, kind, channel_pk, name, options)
      select org_id, users.id, 'silence', channel.id, 'Silent', '{}' from users, telemetry.channel
      where users.id = ${ann.id} and channel_id = 'hall' returning id)
    insert into alert_evaluations (alert_id, evaluated_at, state, previous_state, notified, outcome, reason)
    select id, '2026-01-07T00:00:00Z', 'triggered', 'ok', false, 'none', '' from alert`.execute(app.ctx.db);
  expect((await list()).map(({ text }) => text)).toContain('Silent');
  expect((await read()).body).toEqual(shown);

  // The person who shared it no longer sees the query: only notes are left.
  const { id: none } = await app.make.group({ permissions: ['list_alerts', 'view_query'] });
  await app.as(app.admin).get(usersApi.save, { params: { id: ann.id }, body: { group_ids: [none] } });
  expect((await read()).body).toEqual(shown.slice(0, 1));
  await app.as(app.admin).call(dashboardsApi.unshare, { params });
  expect((await read()).status).toBe(404);
});
