import { operators } from '@telltale/domain/alerts/options.ts';
import { z } from 'zod';
import type { OwnApi } from './own-api.ts';

/** A tool for assistants, which makes one or a few calls to the API. */
export interface Tool {
  title: string;
  description: string;
  input: z.ZodRawShape;
  /** True when the tool changes nothing. */
  isReading: boolean;
  run(api: OwnApi, input: Record<string, unknown>): Promise<unknown>;
}

function tool<S extends z.ZodRawShape>(
  title: string,
  description: string,
  input: S,
  run: (api: OwnApi, input: z.output<z.ZodObject<S>>) => Promise<unknown>,
  isReading = true,
): Tool {
  return { title, description, input, isReading, run: run as Tool['run'] };
}

const id = z.int().positive();
const limit = z.int().min(1).max(1000).default(100).describe('How many rows to answer, at most 1000.');
const q = z.string().max(200).optional().describe('Words to look for.');
const channel_id = z.string().min(1).max(64);
const device_id = z.string().min(1).max(64);
const at = (...parts: (string | number)[]) => `/api/${parts.map((part) => encodeURIComponent(String(part))).join('/')}`;
const search = (path: string, term: string | undefined) => `${path}?page_size=50${term ? `&q=${encodeURIComponent(term)}` : ''}`;

type Schema = { schema?: unknown; job?: Parameters<OwnApi['job']>[0] };

export const tools: Record<string, Tool> = {
  list_data_sources: tool('Data sources', 'Data sources that this person can query; "IoT data" holds what devices report.', {}, (api) =>
    api.call('GET', at('data_sources')),
  ),
  get_schema: tool('Schema', 'Tables and columns of a data source.', { data_source_id: id }, async (api, { data_source_id }) => {
    const { schema, job } = await api.call<Schema>('GET', at('data_sources', data_source_id, 'schema'));
    return { schema: schema ?? (await api.job(job)) };
  }),
  run_sql: tool(
    'Run SQL',
    'Runs one read-only statement on a data source with the rights of this person and answers its rows.',
    { data_source_id: id, query: z.string().min(1).max(100_000), limit },
    (api, { data_source_id, query, limit }) => api.run(at('query_results'), { data_source_id, query, max_age: 0 }, limit),
  ),
  list_queries: tool('Queries', 'Saved queries, newest first or by words.', { q }, (api, { q }) =>
    api.call('GET', `${search(at('queries'), q)}&brief=1`),
  ),
  get_query: tool('Query', 'One saved query with its text and parameters.', { id }, (api, { id }) => api.call('GET', at('queries', id))),
  run_query: tool(
    'Run a saved query',
    'Answers the rows of a saved query: what is stored, or a new run when max_age is 0.',
    {
      id,
      parameters: z.record(z.string(), z.unknown()).optional(),
      max_age: z.int().min(-1).default(-1).describe('Seconds a stored result may be old; -1 for any age, 0 to run it now.'),
      limit,
    },
    (api, { id, parameters, max_age, limit }) => api.run(at('queries', id, 'results'), { parameters, max_age }, limit),
  ),
  create_query: tool(
    'Create a query',
    'Saves a new query as a draft of this person.',
    {
      name: z.string().min(1).max(255),
      query: z.string().min(1).max(100_000),
      data_source_id: id,
      description: z.string().max(4096).optional(),
      tags: z.array(z.string().max(100)).max(20).optional(),
    },
    (api, body) => api.call('POST', at('queries'), body),
    false,
  ),
  list_dashboards: tool('Dashboards', 'Dashboards that this person can see.', { q }, (api, { q }) =>
    api.call('GET', search(at('dashboards'), q)),
  ),
  get_dashboard: tool('Dashboard', 'One dashboard with its widgets and their queries.', { id }, (api, { id }) =>
    api.call('GET', at('dashboards', id)),
  ),
  create_dashboard: tool(
    'Create a dashboard',
    'Makes an empty dashboard, a draft of this person.',
    { name: z.string().min(1).max(100) },
    (api, body) => api.call('POST', at('dashboards'), body),
    false,
  ),
  add_widget: tool(
    'Add a widget',
    'Puts a visualization of a saved query, or a text, on a dashboard.',
    { dashboard_id: id, visualization_id: id.optional(), text: z.string().max(10_000).optional() },
    (api, body) => api.call('POST', at('widgets'), { ...body, options: {} }),
    false,
  ),
  list_channels: tool('Channels', 'Channels that devices report to, with how many are online.', {}, (api) =>
    api.call('GET', at('channels')),
  ),
  list_devices: tool('Devices', 'Devices of a channel and when they were last seen.', { channel_id, q }, (api, { channel_id, q }) =>
    api.call('GET', `${search(at('channels', channel_id, 'devices'), q)}&page=1`),
  ),
  get_device: tool(
    'Device',
    'One device: its state, where it connects and the topics it uses.',
    { channel_id, device_id },
    async (api, { channel_id, device_id }) => {
      const { api_key: _, ...device } = await api.call<Record<string, unknown>>('GET', at('channels', channel_id, 'devices', device_id));
      return device;
    },
  ),
  create_device: tool(
    'Create a device',
    'Adds a device to a channel. Its key is answered once; the person needs it to connect the device.',
    { channel_id, device_id, device_name: z.string().min(1).max(255) },
    (api, { channel_id, ...body }) => api.call('POST', at('channels', channel_id, 'devices'), body),
    false,
  ),
  get_last_values: tool(
    'Last values',
    'What a device reported last, attribute by attribute.',
    { channel_id, device_id },
    (api, { channel_id, device_id }) => api.call('GET', at('channels', channel_id, 'devices', device_id, 'last')),
  ),
  list_alerts: tool('Alerts', 'Alerts and their states.', { q }, (api, { q }) => api.call('GET', `${search(at('alerts'), q)}&page=1`)),
  get_alert: tool('Alert', 'One alert with its last evaluation.', { id }, (api, { id }) => api.call('GET', at('alerts', id))),
  create_alert: tool(
    'Create an alert',
    'Watches a column of a saved query (query_id and column), an attribute of devices (channel_id and attribute), or their silence (channel_id and silent_seconds).',
    {
      name: z.string().min(1).max(255),
      query_id: id.optional(),
      column: z.string().max(1000).optional().describe('A column of the query.'),
      channel_id: channel_id.optional(),
      device_ids: z.array(device_id).max(1000).optional().describe('Leave it out for every device of the channel.'),
      attribute: z.string().max(128).optional().describe('What the devices report.'),
      silent_seconds: z.int().positive().optional().describe('How long a device may say nothing.'),
      op: z.enum(operators).default('>'),
      value: z.union([z.number(), z.string().max(1000)]).default(1),
      rearm: z.int().min(0).optional().describe('0 notifies once until back to normal, 1 at every check, N at most every N seconds.'),
    },
    (api, { name, query_id, rearm, silent_seconds, ...given }) => {
      const kind = query_id !== undefined ? 'query' : silent_seconds !== undefined ? 'silence' : 'device';
      return api.call('POST', at('alerts'), { name, query_id, rearm, options: { kind, silent_seconds, ...given } });
    },
    false,
  ),
};
