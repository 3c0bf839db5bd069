import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { eventsApi } from '@telltale/domain/events/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { makeDevices } from '../testing/fleet.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { testApp } from '../testing/test-app.ts';

const app = await testApp({ env: { DATABASE_URL: inject('postgres').url, TELLTALE_ALLOW_PRIVATE: '*' } });
await app.startWorker();
const target = await targetDatabase();
await target.query('create table things (n int)');
await target.query('insert into things values (1), (2), (3)');
const source = await app.make.dataSource({ options: { ...target.options, allow_writes: true } });
const [device] = await makeDevices(app.ctx, 'weather', 1);
const outsider = await app.make.user({ groups: [] });

const clients: Client[] = [];
afterAll(() => Promise.all(clients.map((client) => client.close())));
async function assistantOf(key: string) {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${app.origin}/mcp`), {
    requestInit: { headers: { authorization: `Key ${key}` } },
  });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  clients.push(client);
  const use = async (name: string, input: Record<string, unknown> = {}) => {
    const { content, isError } = (await client.callTool({ name, arguments: input })) as { content: { text: string }[]; isError?: boolean };
    const text = content[0]?.text ?? '';
    return { isError: isError === true, text, answer: isError ? undefined : (JSON.parse(text) as Record<string, unknown>) };
  };
  return { client, use };
}
const { client, use } = await assistantOf(app.admin.api_key);

describe('issue 19: assistants, by the SDK’s own client', () => {
  test('tools are listed with what they take', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['list_data_sources', 'get_schema', 'run_sql', 'create_query', 'get_last_values', 'list_alerts']),
    );
    expect(tools.find(({ name }) => name === 'run_sql')?.annotations).toMatchObject({ readOnlyHint: true });
  });

  test('sources, schema and rows', async () => {
    expect((await use('list_data_sources')).text).toContain(`"id":${source.id}`);
    const schema = await use('get_schema', { data_source_id: source.id });
    expect(schema.text).toContain('things');
    const run = await use('run_sql', { data_source_id: source.id, query: 'select n from things order by n', limit: 2 });
    expect(run.answer).toMatchObject({ rows: [{ n: 1 }, { n: 2 }], row_count: 3, is_cut: true });
  });

  test('a statement that writes is refused, even where its person may write', async () => {
    const run = await use('run_sql', { data_source_id: source.id, query: 'delete from things returning n' });
    expect([run.isError, run.text]).toEqual([true, expect.stringMatching(/write/)]);
    expect(await target.query('select count(*)::int as n from things')).toEqual([{ n: 3 }]);
  });

  test('an answer that is too large to be held is refused with a sentence', async () => {
    const query = "select repeat('x', 1000) as text from generate_series(1, 30000)";
    const run = await use('run_sql', { data_source_id: source.id, query, limit: 1 });
    expect([run.isError, run.text]).toEqual([true, expect.stringMatching(/larger than 16 MB/)]);
  });

  test('queries and dashboards are made and read', async () => {
    const made = await use('create_query', { name: 'By an assistant', query: 'select 7 as n', data_source_id: source.id });
    const id = Number(made.answer?.id);
    expect((await app.as(app.admin).get(queriesApi.get, { params: { id } })).name).toBe('By an assistant');
    expect((await use('run_query', { id, max_age: 0 })).answer).toMatchObject({ rows: [{ n: 7 }] });
    expect((await use('list_queries', { q: 'assistant' })).text).toContain('By an assistant');
    const dashboard = await use('create_dashboard', { name: 'Overview' });
    await use('add_widget', { dashboard_id: dashboard.answer?.id, text: 'Hello' });
    expect((await use('get_dashboard', { id: dashboard.answer?.id })).text).toContain('Hello');
  });

  test('devices, last values and alerts are read', async () => {
    expect((await use('list_devices', { channel_id: 'weather' })).text).toContain(device?.device_id);
    expect((await use('get_last_values', { channel_id: 'weather', device_id: device?.device_id })).isError).toBe(false);
    expect((await use('list_alerts')).isError).toBe(false);
    expect(await use('get_alert', { id: 999_999 })).toMatchObject({ isError: true, text: 'Alert not found.' });
  });

  test('devices and alerts are made, and read back', async () => {
    const made = await use('create_device', { channel_id: 'weather', device_id: 'attic', device_name: 'Attic' });
    expect(made.answer).toMatchObject({ device_id: 'attic', api_key: expect.stringMatching(/^.{40}$/) });
    const read = await use('get_device', { channel_id: 'weather', device_id: 'attic' });
    expect(read.answer).toMatchObject({ name: 'Attic', publish_topic: 'v1/weather/devices/attic/up' });
    expect(read.text).not.toContain(String(made.answer?.api_key));
    const query = await use('create_query', { name: 'Watched', query: 'select 1 as n', data_source_id: source.id });
    const alerts = [
      { name: 'On a query', query_id: query.answer?.id, column: 'n', op: '>=', value: 1, rearm: 60 },
      { name: 'On devices', channel_id: 'weather', attribute: 't', value: 30 },
      { name: 'Silent', channel_id: 'weather', device_ids: ['attic'], silent_seconds: 60 },
    ];
    for (const alert of alerts) {
      const { answer } = await use('create_alert', alert);
      expect((await use('get_alert', { id: answer?.id })).answer).toMatchObject({ name: alert.name });
    }
    expect((await use('list_alerts', { q: 'Silent' })).text).toContain('"kind":"silence"');
    expect(await use('create_alert', { name: 'On nothing' })).toMatchObject({ isError: true, text: expect.stringContaining('channel') });
    expect((await use('create_device', { channel_id: 'weather', device_id: 'attic', device_name: 'Again' })).isError).toBe(true);
  });

  test('nobody can do more than their person may', async () => {
    const other = await assistantOf(outsider.api_key);
    expect((await other.use('run_sql', { data_source_id: source.id, query: 'select 1' })).isError).toBe(true);
    expect((await other.use('list_devices', { channel_id: 'weather' })).isError).toBe(true);
    expect((await other.use('create_device', { channel_id: 'weather', device_id: 'mine', device_name: 'Mine' })).isError).toBe(true);
    expect((await other.use('create_alert', { name: 'Mine', channel_id: 'weather', attribute: 't' })).isError).toBe(true);
    expect((await other.use('get_device', { channel_id: 'weather', device_id: device?.device_id })).isError).toBe(true);
  });

  test('every call stands among the events, without texts', async () => {
    const { results } = await app.as(app.admin).get(eventsApi.list, { query: { page_size: 250 } });
    const calls = results.filter(({ object_type, action }) => object_type === 'mcp' && action === 'call_tool');
    expect(calls.map(({ object_id }) => object_id)).toEqual(expect.arrayContaining(['run_sql', 'create_query', 'get_alert']));
    expect(calls.map(({ details }) => details)).toContainEqual(expect.objectContaining({ outcome: 'refused', id: '999999' }));
    expect(JSON.stringify(calls)).not.toContain('delete from');
  });

  test('only a person’s key opens it: no session, no other key, nobody', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const headers = { accept: 'application/json, text/event-stream' };
    expect((await app.anonymous().json('POST', '/mcp', body, headers)).status).toBe(401);
    expect((await (await app.signedIn(app.admin)).json('POST', '/mcp', body, headers)).status).toBe(401);
    expect((await app.as({ api_key: 'x'.repeat(40) }).json('POST', '/mcp', body, headers)).status).toBe(401);
    expect((await app.as(app.admin).fetch('/mcp')).status).toBe(405);
    expect((await app.as(app.admin).json('POST', '/mcp', { nonsense: 1 }, headers)).status).toBe(400);
  });
});
