import { createServer } from 'node:http';
import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { channelsApi, devicesApi } from '@telltale/domain/channels/contract.ts';
import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { jobsApi } from '@telltale/domain/jobs/contract.ts';
import { MoveReport, moveApi } from '@telltale/domain/move/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { visualizationsApi } from '@telltale/domain/visualizations/contract.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';

const app = await testApp({ env: { TELLTALE_ALLOW_PRIVATE: '127.0.0.1' } });
const other = await testApp();
const admin = app.as(app.admin);
await app.startWorker();
const outcomes = ({ entries }: MoveReport) => entries.map(({ kind, name, outcome }) => `${kind} ${name}: ${outcome}`);

describe('export and import of objects as files', () => {
  test('what one installation exports, another one takes over, and a second time nothing is made twice', async () => {
    const source = await app.make.dataSource({ name: 'Readings' });
    const query = await app.make.query({ data_source_id: source.id, user_id: app.admin.id, name: 'Pumps', query: 'select 1 as pump' });
    const chart = await admin.get(visualizationsApi.create, { body: { query_id: query.id, type: 'CHART', name: 'In front' } });
    await admin.get(visualizationsApi.order, { params: { id: query.id }, body: { ids: [chart.id, query.visualization_id] } });
    await app.make.query({ data_source_id: (await app.make.dataSource({ name: 'Only here' })).id, user_id: app.admin.id, name: 'Lost' });
    const dashboard = await app.make.dashboard({ user_id: app.admin.id, name: 'Harbour', is_draft: false });
    await app.make.widget({
      dashboard_id: dashboard.id,
      visualization_id: query.visualization_id,
      options: { position: { col: 0, row: 0, sizeX: 3, sizeY: 4 } } as never,
    });
    await app.make.widget({ dashboard_id: dashboard.id, text: '# Tonight' });
    await admin.get(alertsApi.create, {
      body: { name: 'A pump runs', query_id: query.id, options: { column: 'pump', op: '>', value: 0 } },
    });
    await admin.get(channelsApi.create, { body: { channel_id: 'harbour' } });
    await admin.get(devicesApi.create, { params: { id: 'harbour' }, body: { device_id: 'dev-1', device_name: 'D' } });
    const objects = await admin.get(moveApi.export);
    expect(JSON.stringify(objects)).not.toContain(query.api_key);

    const there = other.as(other.admin);
    await other.make.dataSource({ name: 'Readings' });
    const preview = await there.get(moveApi.import, { body: { objects, preview: true } });
    expect(outcomes(preview)).toContain('query Pumps: made');
    expect(preview.entries.find(({ name }) => name === 'Lost')).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('Only here'),
    });
    expect((await there.get(queriesApi.list)).count).toBe(0);

    const report = await there.get(moveApi.import, { body: { objects } });
    expect(outcomes(report)).toEqual([
      'channel harbour: made',
      'device harbour/dev-1: made',
      'query Pumps: made',
      'query Lost: refused',
      'dashboard Harbour: made',
      'alert A pump runs: made',
    ]);
    const id = report.entries.find(({ kind }) => kind === 'query')?.id as number;
    const { visualizations } = await there.get(queriesApi.get, { params: { id } });
    expect(visualizations.map(({ type }) => type)).toEqual(['CHART', 'TABLE']);
    const made = report.entries.find(({ kind }) => kind === 'dashboard')?.id as number;
    const taken = await there.get(dashboardsApi.get, { params: { id: String(made) } as never });
    expect(taken).toMatchObject({ name: 'Harbour', is_draft: false });
    expect(taken.widgets.map(({ text, visualization }) => [text, visualization?.type])).toEqual([
      ['', 'TABLE'],
      ['# Tonight', undefined],
    ]);
    const again = await there.get(moveApi.import, { body: { objects } });
    expect(again.entries.filter(({ outcome }) => outcome === 'made')).toEqual([]);
    expect((await there.get(queriesApi.list)).count).toBe(1);
  });

  test('hostile files are a 400 or a reason, never a failure', async () => {
    for (const objects of [null, [], {}, { format: 'other' }, { format: 'telltale objects 1', queries: [{ id: 'x' }] }])
      expect((await admin.json('POST', '/api/import', { objects })).status).toBe(400);
    const odd = { id: 1, name: 'x'.repeat(300), query: 'select 1', data_source: { id: 1, name: 'Readings' } };
    const objects = {
      format: 'telltale objects 1' as const,
      queries: [odd],
      dashboards: [{ id: 1, name: '' }],
      alerts: [{ id: 1, name: 'a', query_id: 99, options: {} }],
    };
    const report = await admin.get(moveApi.import, { body: { objects: objects as never } });
    expect(report.entries.map(({ outcome }) => outcome)).toEqual(['refused', 'refused', 'refused']);
    expect((await admin.json('GET', '/api/export?what=secrets')).status).toBe(400);
  });
});

/** A small installation that speaks the API of the upstream product. */
const key = 'the-key-of-the-old-one';
const answers: Record<string, unknown> = {
  '/sub/api/data_sources': [
    { id: 3, name: 'Readings', type: 'pg' },
    { id: 4, name: 'Old warehouse', type: 'pg' },
  ],
  '/sub/api/groups': [
    { id: 1, name: 'admin', type: 'builtin' },
    { id: 2, name: 'default', type: 'builtin' },
    { id: 9, name: 'Engineers', type: 'regular' },
  ],
  '/sub/api/users': {
    count: 2,
    page: 1,
    page_size: 250,
    results: [
      { id: 5, name: 'Ada', email: 'Ada@Example.com', groups: [{ id: 9, name: 'Engineers' }], is_disabled: false },
      { id: 6, name: 'Gone', email: 'gone@example.com', groups: [2], is_disabled: true },
    ],
  },
  '/sub/api/queries': {
    count: 3,
    page: 1,
    page_size: 250,
    results: [
      { id: 11, name: 'Old pumps' },
      { id: 12, name: 'Old stock' },
      { id: 13, name: 'Broken' },
    ],
  },
  '/sub/api/queries/11': {
    id: 11,
    name: 'Old pumps',
    description: null,
    query: 'select 1 as pump',
    data_source_id: 3,
    options: { parameters: [] },
    schedule: null,
    tags: ['old'],
    is_draft: false,
    visualizations: [
      { id: 21, type: 'TABLE', name: 'Table', description: '', options: {} },
      { id: 22, type: 'COUNTER', name: 'How many', description: '', options: { counterColName: 'pump' } },
    ],
  },
  '/sub/api/queries/12': { id: 12, name: 'Old stock', query: 'select 2', data_source_id: 4, options: {}, visualizations: [] },
  '/sub/api/dashboards': { count: 1, page: 1, page_size: 250, results: [{ id: 31, slug: 'old-harbour', name: 'Old harbour' }] },
  '/sub/api/dashboards/old-harbour': {
    id: 31,
    name: 'Old harbour',
    is_draft: false,
    dashboard_filters_enabled: true,
    tags: [],
    options: {},
    widgets: [
      {
        id: 41,
        width: 1,
        text: '',
        options: { position: { col: 6, row: 0, sizeX: 6, sizeY: 8, minSizeX: 2, maxSizeX: 12 } },
        visualization: { id: 22, query: { id: 11 } },
      },
      { id: 42, width: 1, text: 'A note', options: {} },
      { id: 43, width: 1, text: '', options: {}, visualization: { id: 99 } },
    ],
  },
  '/sub/api/alerts': [{ id: 51, name: 'Old alert', query: { id: 11 }, options: { column: 'pump', op: '>', value: 1 }, rearm: 60 }],
};
const upstream = createServer((request, response) => {
  const path = new URL(request.url ?? '', 'http://x').pathname;
  const isKnown = request.headers.authorization === `Key ${key}`;
  const answer = isKnown ? answers[path] : undefined;
  response.writeHead(isKnown ? (answer === undefined ? 404 : 200) : 403, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer ?? { message: 'no' }));
});
await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
afterAll(() => upstream.close());
const { port } = upstream.address() as { port: number };
const take = async (body: Record<string, unknown>) => {
  const { job } = await admin.get(moveApi.upstream, { body: { url: `http://127.0.0.1:${port}/sub`, api_key: key, ...body } as never });
  const ended = await until(
    () => admin.get(jobsApi.get, { params: { id: job.id } }),
    (seen) => seen.job.status >= 3,
  );
  return ended.job;
};

describe('import from an upstream installation', () => {
  test('queries, visualizations, dashboards, alerts, users and groups are imported, and the rest is listed with reasons', async () => {
    const preview = MoveReport.parse((await take({ preview: true })).result);
    expect(outcomes(preview)).toContain('query Old pumps: made');
    expect((await admin.get(queriesApi.list, { query: { q: 'Old' } as never })).count).toBe(0);

    const report = MoveReport.parse((await take({})).result);
    expect(Object.fromEntries(report.entries.map(({ kind, name, outcome }) => [`${kind} ${name}`, outcome]))).toEqual({
      'group admin': 'refused',
      'group default': 'exists',
      'group Engineers': 'made',
      'user Ada': 'made',
      'user Gone': 'refused',
      'query Old pumps': 'made',
      'query Old stock': 'refused',
      'query Broken': 'refused',
      'dashboard Old harbour': 'made',
      'alert Old alert': 'made',
    });
    expect(report.entries.find(({ kind, outcome }) => kind === 'dashboard' && outcome === 'changed')?.reason).toContain('not taken over');
    expect(report.entries.find(({ name }) => name === 'Old stock')?.reason).toContain('Old warehouse');
    const { results } = await admin.get(usersApi.list, { query: { q: 'ada@example.com', pending: true } as never });
    expect(results[0]?.groups.map(({ name }) => name).toSorted()).toEqual(['Engineers', 'default']);
    const id = report.entries.find(({ name, kind }) => kind === 'query' && name === 'Old pumps')?.id as number;
    const { visualizations } = await admin.get(queriesApi.get, { params: { id } });
    expect(visualizations.map(({ type, name }) => [type, name])).toEqual([
      ['TABLE', 'Table'],
      ['COUNTER', 'How many'],
    ]);
    const board = report.entries.find(({ kind, outcome }) => kind === 'dashboard' && outcome === 'made')?.id;
    const { widgets } = await admin.get(dashboardsApi.get, { params: { id: String(board) } as never });
    expect(widgets.map(({ options }) => options.position)).toContainEqual({ col: 3, row: 0, sizeX: 3, sizeY: 8 });
  });

  test('a source of another name is taken where somebody says which', async () => {
    const source = await app.make.dataSource({ name: 'New warehouse' });
    const report = MoveReport.parse((await take({ what: ['queries'], sources: { 4: source.id } })).result);
    expect(outcomes(report)).toContain('query Old stock: made');
  });

  test('a wrong key, a wrong address and a private one are told in words; the key is nowhere to be read', async () => {
    expect((await take({ api_key: 'wrong' })).error).toContain('refused the key');
    expect((await take({ url: `http://127.0.0.1:${port}/nowhere` })).error).toContain('404');
    expect((await take({ url: 'http://169.254.169.254/' })).status).toBe(4);
    expect((await admin.json('POST', '/api/import/upstream', { url: 'no address', api_key: key })).status).toBe(400);
    const { rows } = await (await import('kysely')).sql<{
      text: string;
    }>`select string_agg(payload::text, ' ') as text from jobs where name = 'move.upstream'`.execute(app.ctx.db);
    expect(rows[0]?.text).not.toContain(key);
  });
});
