import { dashboardAclApi, dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import type { LiveOptions, WidgetOptions } from '@telltale/domain/dashboards/options.ts';
import { widgetsApi } from '@telltale/domain/dashboards/widget.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { expect, test } from 'vitest';
import { ensureBuiltInSource } from '../data-sources/built-in-source.ts';
import { makeDevices } from '../testing/fleet.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
await makeDevices(app.ctx, 'weather', 60);
await makeDevices(app.ctx, 'other', 1, () => 'elsewhere');
const ann = await app.make.user({ name: 'Ann' });
const withoutChannels = await app.make.group({ permissions: ['list_dashboards', 'edit_dashboard', 'create_dashboard'] });
const ben = await app.make.user({ name: 'Ben', groups: [], group_ids: [withoutChannels.id] });
const source = await app.make.dataSource();
const query = await app.make.query({ data_source_id: source.id, user_id: ann.id });
const of = (id: number) => ({ params: { id } });
const live: LiveOptions = { channelid: 'weather', device_ids: ['d-00000', 'd-00001'] };
const position = { col: 0, row: 0, sizeX: 3, sizeY: 8 };

/** Ann owns the dashboard; Ben may edit it, but may not see channels. */
async function board() {
  const { id } = await app.make.dashboard({ user_id: ann.id, is_draft: false });
  await app.as(ann).get(dashboardAclApi.grant, { ...of(id), body: { access_type: 'modify', user_id: ben.id } });
  return id;
}
const add = async (dashboard_id: number, options: WidgetOptions = { live, position }) =>
  app.as(ann).get(widgetsApi.create, { body: { dashboard_id, options } });
const read = async (person: { api_key: string }, id: number) =>
  (await app.as(person).get(dashboardsApi.get, { params: { id: String(id) } })).widgets;

test('D2: a live widget needs no query, and keeps what its picture does', async () => {
  const id = await board();
  const made = await add(id, { live: { ...live, fields: ['temperature'], maxItems: 10 }, position });
  expect(made).toMatchObject({ text: '', options: { live: { ...live, fields: ['temperature'], maxItems: 10 } } });
  expect(made.visualization).toBeUndefined();
  const other = { channelid: 'other', device_ids: ['elsewhere'] };
  const saved = await app.as(ann).get(widgetsApi.save, { ...of(made.id), body: { options: { live: other } } });
  expect(saved.options).toEqual({ live: other, position });
  expect(await read(ann, id)).toMatchObject([{ options: { live: other } }]);
});

test('who may not see channels gets the place only, can move and remove it, and cannot make one', async () => {
  const id = await board();
  const made = await add(id);
  const [seen] = await read(ben, id);
  expect(seen).toMatchObject({ restricted: true, options: { position } });
  expect(JSON.stringify(seen)).not.toContain('weather');
  const moved = await app.as(ben).get(widgetsApi.save, { ...of(made.id), body: { options: { position: { ...position, row: 4 } } } });
  expect(moved).toMatchObject({ restricted: true });
  expect((await read(ann, id))[0]?.options).toMatchObject({ live, position: { row: 4 } });
  const forbidden = [
    app.as(ben).call(widgetsApi.save, { ...of(made.id), body: { options: { live } } }),
    app.as(ben).call(widgetsApi.create, { body: { dashboard_id: id, options: { live } } }),
  ];
  for (const reply of await Promise.all(forbidden)) expect(reply.status).toBe(403);
  const copy = await app.as(ben).get(dashboardsApi.fork, of(id));
  expect(copy.widgets).toEqual([]);
  await app.as(ben).get(widgetsApi.remove, of(made.id));
  expect(await read(ann, id)).toEqual([]);
});

test('behind a public address live uplinks are restricted for everybody', async () => {
  const id = await board();
  await add(id);
  const { api_key } = await app.as(ann).get(dashboardsApi.share, { ...of(id), body: {} });
  const shown = await app.anonymous().get(dashboardsApi.public, { params: { token: api_key } });
  expect(shown.widgets).toMatchObject([{ restricted: true, options: { position } }]);
  expect(JSON.stringify(shown)).not.toContain('weather');
});

test.each<[string, object, number?]>([
  ['an unknown channel', { live: { channelid: 'nowhere', device_ids: ['d-00000'] } }, 404],
  ['a device of another channel', { live: { channelid: 'weather', device_ids: ['d-00000', 'elsewhere'] } }],
  ['no device', { live: { channelid: 'weather', device_ids: [] } }],
  ['more than 50', { live: { channelid: 'weather', device_ids: Array.from({ length: 51 }, (_, n) => `d-${String(n).padStart(5, '0')}`) } }],
  ['no text', { live: { channelid: 5, device_ids: [{}] } }],
])('%s is refused with a reason', async (_, options, status = 400) => {
  const reply = await app.as(ann).call(widgetsApi.create, { body: { dashboard_id: await board(), options } as never });
  expect(reply).toMatchObject({ status, message: expect.stringMatching(/./) });
});

test('a widget shows a visualization or live uplinks, not both', async () => {
  const id = await board();
  const body = { dashboard_id: id, visualization_id: query.visualization_id };
  expect((await app.as(ann).call(widgetsApi.create, { body: { ...body, options: { live } } })).status).toBe(400);
  const picture = await app.as(ann).get(widgetsApi.create, { body });
  expect((await app.as(ann).call(widgetsApi.save, { ...of(picture.id), body: { options: { live } } })).status).toBe(400);
});

test('issue 20: only a widget on device data follows new readings, and a public address does not tell', async () => {
  const id = await board();
  await ensureBuiltInSource(app.ctx);
  const builtIn = await app.ctx.db.selectFrom('data_sources').select('id').where('type', '=', 'telltale').executeTakeFirstOrThrow();
  const onDevices = await app.make.query({ data_source_id: builtIn.id, user_id: ann.id });
  const widgetOf = async (query_id: number) => {
    const { visualizations } = await app.as(ann).get(queriesApi.get, of(query_id));
    return app
      .as(ann)
      .get(widgetsApi.create, { body: { dashboard_id: id, visualization_id: visualizations[0]?.id ?? 0, options: { position } } });
  };
  const follows = (widget: { id: number }) =>
    app.as(ann).call(widgetsApi.save, { ...of(widget.id), body: { options: { follows_readings: true } } });
  expect(await follows(await widgetOf(query.id))).toMatchObject({
    status: 400,
    body: { message: 'Only widgets on IoT data can follow new readings.' },
  });
  const saved = await follows(await widgetOf(onDevices.id));
  expect(saved).toMatchObject({
    status: 200,
    body: { options: { follows_readings: true, position }, visualization: { query: { reads_devices: true } } },
  });
  const { api_key: token } = await app.as(ann).get(dashboardsApi.share, { ...of(id), body: {} });
  const shared = await app.anonymous().get(dashboardsApi.public, { params: { token } });
  expect(JSON.stringify(shared)).not.toContain('follows_readings');
});
