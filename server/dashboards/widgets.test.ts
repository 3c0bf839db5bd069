import { dashboardAclApi, dashboardsApi, type LayoutChange, LayoutConflict } from '@telltale/domain/dashboards/contract.ts';
import { type NewWidget, widgetsApi } from '@telltale/domain/dashboards/widget.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { visualizationsApi } from '@telltale/domain/visualizations/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const [ann, ben] = [await app.make.user({ name: 'Ann' }), await app.make.user({ name: 'Ben' })];
const annOnly = await app.make.group();
await sql`insert into memberships (group_id, user_id) values (${annOnly.id}, ${ann.id})`.execute(app.ctx.db);
const source = await app.make.dataSource();
const hidden = await app.make.dataSource({ groups: { [annOnly.id]: false } });
const parameters = [
  { name: 'from', type: 'date', value: '2026-01-01' },
  { name: 'limit', type: 'number', value: 5 },
];
const query = await app.make.query({ data_source_id: source.id, user_id: ann.id, options: { parameters } });
const secret = await app.make.query({ data_source_id: hidden.id, user_id: ann.id, name: 'Secret query' });
const of = (id: number) => ({ params: { id } });

/** Ann owns the dashboard, and Ben may edit it by her grant. */
async function shared() {
  const dashboard = await app.make.dashboard({ user_id: ann.id, is_draft: false });
  await app.as(ann).get(dashboardAclApi.grant, { ...of(dashboard.id), body: { access_type: 'modify', user_id: ben.id } });
  return dashboard;
}
const dashboard = await shared();
const read = async (user: { api_key: string }, id: number) => app.as(user).get(dashboardsApi.get, { params: { id: String(id) } });
const add = (body: Partial<NewWidget> = {}, user = ann) =>
  app.as(user).get(widgetsApi.create, { body: { dashboard_id: dashboard.id, visualization_id: query.visualization_id, ...body } });

describe('server-behaviour 16.3: adding', () => {
  test('a visualization comes with what a widget needs of its query: no text, no key, nobody’s address (W13)', async () => {
    const widget = await add({ options: { position: { col: 1, row: 2, sizeX: 3, sizeY: 8 } } });
    expect(widget).toMatchObject({
      dashboard_id: dashboard.id,
      version: 1,
      width: 1,
      text: '',
      options: { position: { col: 1, row: 2, sizeX: 3, sizeY: 8 } },
      visualization: { id: query.visualization_id, type: 'TABLE', query: { id: query.id, name: query.name, is_safe: true } },
    });
    const raw = await (await app.as(ann).fetch(`/api/dashboards/${dashboard.id}`)).text();
    for (const text of ['select 1', query.api_key, 'api_key']) expect(raw).not.toContain(text);
  });

  test('D3: a widget names its type, its visualization and its query', async () => {
    const { id } = await add();
    const names = { id: query.id, name: query.name, description: null };
    const widget = (await read(ann, dashboard.id)).widgets.find((one) => one.id === id);
    expect(widget).toMatchObject({ type: 'visualization', visualization_id: query.visualization_id });
    expect(widget?.query).toEqual(names);
    const box = await add({ visualization_id: null, text: 'x' });
    expect(box).toMatchObject({ type: 'text', visualization_id: null });
    expect(box).not.toHaveProperty('query');
  });

  test('a text box, with or without saying that it shows nothing', async () => {
    expect(await add({ visualization_id: null, text: '# Title' })).toMatchObject({ text: '# Title' });
    const { visualization, ...bare } = await app.as(ann).get(widgetsApi.create, { body: { dashboard_id: dashboard.id } });
    expect(visualization).toBeUndefined();
    expect(bare).toMatchObject({ text: '', options: {} });
  });

  test.each<[string, object, number]>([
    ['an unknown dashboard', { dashboard_id: 999_999 }, 404],
    ['no dashboard', { dashboard_id: undefined }, 400],
    ['an unknown visualization', { visualization_id: 999_999 }, 404],
    ['SQL for a number', { visualization_id: '1; drop table widgets' }, 400],
    ['a width that is none', { width: 'wide' }, 400],
    ['a text that is none', { text: { toString: 'x' } }, 400],
    ['a text without end', { text: 'x'.repeat(100_001) }, 400],
    ['options that are none', { options: 'x' }, 400],
    ['huge options', { options: { note: 'x'.repeat(250_000) } }, 400],
    ['a position outside the grid', { options: { position: { col: 6 } } }, 400],
    ['a widget higher than 1000 rows', { options: { position: { sizeY: 1001 } } }, 400],
    ['a mapping of an unknown kind', { options: { parameterMappings: { from: { name: 'from', type: 'sql' } } } }, 400],
    [
      'a title of 101 characters',
      { options: { parameterMappings: { from: { name: 'from', type: 'widget-level', title: 'x'.repeat(101) } } } },
      400,
    ],
  ])('%s is refused with a reason', async (_, body, status) => {
    const given = { dashboard_id: dashboard.id, visualization_id: query.visualization_id, ...body };
    const response = await app.as(ann).json('POST', '/api/widgets', given);
    expect(response.status).toBe(status);
    expect(((await response.json()) as { message: string }).message).toMatch(/\w/);
  });

  test('adding a widget needs the right to edit the dashboard and to see the query', async () => {
    const stranger = await app.make.user();
    expect((await app.as(stranger).call(widgetsApi.create, { body: { dashboard_id: dashboard.id, text: 'x' } })).status).toBe(403);
    const body = { dashboard_id: dashboard.id, visualization_id: secret.visualization_id };
    expect((await app.as(ben).call(widgetsApi.create, { body })).status).toBe(403);
  });

  test('Q4: an archived query is refused', async () => {
    const gone = await app.make.query({ data_source_id: source.id, user_id: ann.id });
    await app.as(ann).get(queriesApi.archive, of(gone.id));
    const body = { dashboard_id: dashboard.id, visualization_id: gone.visualization_id };
    const reply = await app.as(ann).call(widgetsApi.create, { body });
    expect(reply).toMatchObject({ status: 400, message: "This query is archived and can't be used in dashboards." });
  });

  test('mappings of parameters that the query does not have are dropped', async () => {
    const mapping = { type: 'dashboard-level' as const, mapTo: 'since', value: null, title: 'Since' };
    const widget = await add({
      options: {
        parameterMappings: {
          from: { name: 'other', ...mapping },
          nothing: { name: 'nothing', ...mapping },
          constructor: { name: 'constructor', ...mapping },
        },
      },
    });
    expect(widget.options.parameterMappings).toEqual({ from: { name: 'from', ...mapping } });
  });

  test('script and SQL are text like any other', async () => {
    const text = `<script>alert(1)</script>'; drop table widgets; --`;
    const widget = await add({ visualization_id: null, text, options: { note: text } });
    expect(widget).toMatchObject({ text, options: { note: text } });
  });

  test('more than 500 are refused', async () => {
    const full = await app.make.dashboard({ user_id: ann.id });
    await sql`insert into widgets (dashboard_id) select ${full.id}::int from generate_series(1, 500)`.execute(app.ctx.db);
    expect((await app.as(ann).call(widgetsApi.create, { body: { dashboard_id: full.id, text: 'x' } })).status).toBe(400);
  });
});

describe('server-behaviour 16.3 and W19: saving', () => {
  const mappings = { limit: { name: 'limit', type: 'static-value' as const, mapTo: 'limit', value: 7, title: '' } };

  test('each option on its own: a position leaves the parameters, parameters leave the position', async () => {
    const { id } = await add({ options: { position: { col: 1, sizeX: 2 }, custom: 'kept' } });
    await app.as(ann).get(widgetsApi.save, { ...of(id), body: { options: { parameterMappings: mappings } } });
    const saved = await app.as(ann).get(widgetsApi.save, { ...of(id), body: { options: { position: { row: 4 } } } });
    expect(saved.options).toEqual({ position: { col: 1, row: 4, sizeX: 2 }, custom: 'kept', parameterMappings: mappings });
    expect(saved.version).toBe(3);
  });

  test('width, dashboard and visualization stay as they are', async () => {
    const { id } = await add();
    const body = { text: 'x', width: 3, dashboard_id: 1, visualization_id: secret.visualization_id, version: undefined };
    const answer = await (await app.as(ann).json('POST', `/api/widgets/${id}`, body)).json();
    expect(answer).toMatchObject({ text: 'x', width: 1, dashboard_id: dashboard.id, visualization: { id: query.visualization_id } });
  });

  test('many small options do not add up to a huge one', async () => {
    const { id } = await add({ visualization_id: null, text: 'x' });
    const save = (key: string) => app.as(ann).call(widgetsApi.save, { ...of(id), body: { options: { [key]: 'x'.repeat(150_000) } } });
    expect((await save('one')).status).toBe(200);
    expect((await save('two')).status).toBe(400);
  });

  test('a stale version is a conflict, none means to overwrite', async () => {
    const { id } = await add({ visualization_id: null, text: 'one' });
    await app.as(ann).get(widgetsApi.save, { ...of(id), body: { text: 'two', version: 1 } });
    expect((await app.as(ben).call(widgetsApi.save, { ...of(id), body: { text: 'three', version: 1 } })).status).toBe(409);
    expect((await app.as(ben).get(widgetsApi.save, { ...of(id), body: { text: 'four' } })).text).toBe('four');
  });

  test('not by strangers, and not where there is none', async () => {
    const { id } = await add();
    const stranger = await app.make.user();
    expect((await app.as(stranger).call(widgetsApi.save, { ...of(id), body: { text: 'x' } })).status).toBe(403);
    expect((await app.as(stranger).call(widgetsApi.remove, of(id))).status).toBe(403);
    expect((await app.as(ann).call(widgetsApi.save, { ...of(999_999), body: { text: 'x' } })).status).toBe(404);
    expect((await app.as(ann).call(widgetsApi.remove, of(999_999))).status).toBe(404);
  });

  test('removing answers null and is final', async () => {
    const { id } = await add();
    expect((await app.as(ben).call(widgetsApi.remove, of(id))).body).toBeNull();
    expect((await app.as(ben).call(widgetsApi.remove, of(id))).status).toBe(404);
  });
});

describe('server-behaviour 16.4: what somebody may not see', () => {
  test('is reduced to where it stands, without its fixed values', async () => {
    const { id } = await add({
      visualization_id: secret.visualization_id,
      options: { position: { col: 0, row: 9 }, parameterMappings: {}, note: 'Secret note' },
    });
    const widgets = (await read(ben, dashboard.id)).widgets;
    const seen = widgets.find((widget) => widget.id === id);
    expect(Object.keys(seen ?? {}).sort()).toEqual(
      ['created_at', 'dashboard_id', 'id', 'options', 'restricted', 'updated_at', 'version', 'width'].sort(),
    );
    expect(seen).toMatchObject({ restricted: true, options: { position: { col: 0, row: 9 } } });
    expect(JSON.stringify(widgets)).not.toMatch(/Secret/);
    expect((await read(ann, dashboard.id)).widgets.find((widget) => widget.id === id)).toMatchObject({
      visualization: { query: { name: 'Secret query' } },
    });
  });

  test('is moved and removed by an editor, but its parameters are not theirs to choose', async () => {
    const { id } = await add({ visualization_id: secret.visualization_id, options: { note: 'Secret note' } });
    const moved = await app.as(ben).get(widgetsApi.save, { ...of(id), body: { options: { position: { col: 2 } } } });
    expect(moved).toMatchObject({ restricted: true, options: { position: { col: 2 } } });
    expect((await app.as(ben).call(widgetsApi.save, { ...of(id), body: { options: { parameterMappings: {} } } })).status).toBe(403);
    expect((await read(ann, dashboard.id)).widgets.find((widget) => widget.id === id)?.options).toMatchObject({ note: 'Secret note' });
    expect((await app.as(ben).call(widgetsApi.remove, of(id))).status).toBe(200);
  });

  test('a query without a source is its author’s', async () => {
    const orphan = await app.make.query({ data_source_id: null, user_id: ann.id });
    const { id } = await app.make.widget({ dashboard_id: dashboard.id, visualization_id: orphan.visualization_id });
    const find = async (user: typeof ann) => (await read(user, dashboard.id)).widgets.find((widget) => widget.id === id);
    expect((await find(ann))?.restricted).toBeUndefined();
    expect((await find(ben))?.restricted).toBe(true);
  });
});

describe('design 8: the layout in one request', () => {
  const move = (id: number, version: number | undefined, position: object) => ({ id, version, options: { position } });
  const layout = (user: typeof ann, id: number, widgets: ReturnType<typeof move>[]) =>
    app.as(user).call(dashboardsApi.layout, { ...of(id), body: { widgets } as LayoutChange });
  const board = async (count: number) => {
    const { id } = await shared();
    const ids: number[] = [];
    for (let i = 0; i < count; i++) ids.push((await app.make.widget({ dashboard_id: id, text: `${i}` })).id);
    return { id, ids };
  };

  test('moves everything that was sent and answers the new versions', async () => {
    const { id, ids } = await board(3);
    const [a = 0, b = 0, c = 0] = ids;
    const reply = await layout(ann, id, [move(a, 1, { col: 1, row: 1, sizeX: 2, sizeY: 4 }), move(b, 1, { autoHeight: true })]);
    expect(reply.body.widgets).toMatchObject([
      { id: a, version: 2, options: { position: { col: 1, row: 1, sizeX: 2, sizeY: 4 } } },
      { id: b, version: 2, options: { position: { autoHeight: true } } },
    ]);
    const { widgets, version } = await read(ann, id);
    expect(widgets.map((widget) => widget.version)).toEqual([2, 2, 1]);
    expect(version).toBe(2);
    expect(widgets.find((widget) => widget.id === c)?.options).toEqual({});
  });

  test('two editors who move different widgets at the same time both succeed', async () => {
    const { id, ids } = await board(20);
    const half = (user: typeof ann, from: number) =>
      layout(
        user,
        id,
        ids.filter((_, i) => i % 2 === from).map((widget) => move(widget, 1, { col: from, row: widget % 50 })),
      );
    const replies = await Promise.all([half(ann, 0), half(ben, 1)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const { widgets } = await read(ann, id);
    expect(widgets.map(({ options }, i) => options.position?.col === i % 2)).not.toContain(false);
  });

  test('the same widget moved by two: one gets its current place, and nothing of theirs is saved', async () => {
    const { id, ids } = await board(2);
    const [a = 0, b = 0] = ids;
    await layout(ben, id, [move(a, 1, { col: 5, sizeX: 1 })]);
    const response = await app
      .as(ann)
      .json('POST', `/api/dashboards/${id}/layout`, { widgets: [move(a, 1, { col: 2 }), move(b, 1, { col: 2 })] });
    expect(response.status).toBe(409);
    expect(LayoutConflict.parse(await response.json())).toMatchObject({
      widgets: [{ id: a, version: 2, options: { position: { col: 5, sizeX: 1 } } }],
      removed: [],
    });
    expect((await read(ann, id)).widgets.map((widget) => widget.version)).toEqual([2, 1]);
    const again = await layout(ann, id, [move(a, 2, { col: 2 }), move(b, 1, { col: 2 })]);
    expect(again.status).toBe(200);
  });

  test('a widget that somebody removed meanwhile is named', async () => {
    const { id, ids } = await board(2);
    const [a = 0, b = 0] = ids;
    await app.as(ben).get(widgetsApi.remove, of(a));
    const response = await app.as(ann).json('POST', `/api/dashboards/${id}/layout`, { widgets: [move(a, 1, {}), move(b, 1, {})] });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ removed: [a], widgets: [] });
  });

  test('widgets of other dashboards are not reached through one’s own', async () => {
    const [mine, theirs] = [await board(1), await app.make.dashboard({ user_id: ben.id })];
    const { id: foreign } = await app.make.widget({ dashboard_id: theirs.id, text: 'x' });
    expect((await layout(ann, mine.id, [move(foreign, undefined, { col: 3 })])).status).toBe(409);
    expect((await read(ben, theirs.id)).widgets[0]?.options).toEqual({});
    expect((await layout(ann, theirs.id, [])).status).toBe(403);
  });

  test('twenty saves at once, in whatever order, never wait for each other in a circle', async () => {
    const { id, ids } = await board(12);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        layout(
          n % 2 ? ann : ben,
          id,
          (n % 3 ? ids : ids.toReversed()).map((widget) => move(widget, undefined, { row: n })),
        ),
      ),
    );
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    expect(new Set((await read(ann, id)).widgets.map(({ options }) => options.position?.row)).size).toBe(1);
  });

  test.each([
    { widgets: 'x' },
    {},
    { widgets: [{ id: 'x', options: { position: {} } }] },
    { widgets: [{ id: 1 }] },
    { widgets: [{ id: 1, options: { position: { col: 99 } } }] },
    { widgets: [{ id: 1, version: 'x', options: { position: {} } }] },
    { widgets: Array.from({ length: 1001 }, () => ({ id: 1, options: { position: {} } })) },
  ])('%o is refused', async (body) => {
    const { id } = await board(1);
    expect((await app.as(ann).json('POST', `/api/dashboards/${id}/layout`, body)).status).toBe(400);
  });
});

describe('what happens to a query happens to its widgets', () => {
  test('Q4: archiving removes them from every dashboard, in the same transaction', async () => {
    const doomed = await app.make.query({ data_source_id: source.id, user_id: ann.id });
    const boards = [await shared(), await app.make.dashboard({ user_id: ben.id })];
    for (const { id } of boards) {
      await app.make.widget({ dashboard_id: id, visualization_id: doomed.visualization_id });
      await app.make.widget({ dashboard_id: id, text: 'stays' });
    }
    await app.as(ann).get(queriesApi.archive, of(doomed.id));
    for (const { id } of boards) expect((await read(app.admin, id)).widgets).toMatchObject([{ text: 'stays' }]);
    await app.as(ann).get(queriesApi.restore, of(doomed.id));
    for (const { id } of boards) expect((await read(app.admin, id)).widgets).toHaveLength(1);
  });

  test('an archiving and an adding at the same moment leave no widget of an archived query', async () => {
    for (let i = 0; i < 10; i++) {
      const raced = await app.make.query({ data_source_id: source.id, user_id: ann.id });
      const { id } = await shared();
      const body = { dashboard_id: id, visualization_id: raced.visualization_id };
      await Promise.all([
        app.as(ann).call(queriesApi.archive, of(raced.id)),
        ...Array.from({ length: 3 }, () => app.as(ben).call(widgetsApi.create, { body })),
      ]);
      expect((await read(ann, id)).widgets).toEqual([]);
    }
  });

  test('W21 and Q8: a visualization that a dashboard shows is not deleted', async () => {
    const shown = await app.make.query({ data_source_id: source.id, user_id: ann.id });
    const { id } = await add({ visualization_id: shown.visualization_id });
    const reply = await app.as(ann).call(visualizationsApi.remove, of(shown.visualization_id));
    expect(reply).toMatchObject({ status: 400, message: "Error deleting visualization. Maybe it's used in a dashboard?" });
    await app.as(ann).get(widgetsApi.remove, of(id));
    expect((await app.as(ann).call(visualizationsApi.remove, of(shown.visualization_id))).status).toBe(200);
  });
});
