import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { channelsApi, type Device, devicesApi } from '@telltale/domain/channels/contract.ts';
import { commandsApi, schedulesApi } from '@telltale/domain/commands/contract.ts';
import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { widgetsApi } from '@telltale/domain/dashboards/widget.ts';
import { dataSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { decodersApi } from '@telltale/domain/decoders/contract.ts';
import type { CallInput } from '@telltale/domain/endpoint.ts';
import { networksApi } from '@telltale/domain/networks/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { querySnippetsApi } from '@telltale/domain/query-snippets/contract.ts';
import { visualizationsApi } from '@telltale/domain/visualizations/contract.ts';
import type { ConsoleClient } from './console-client.ts';
import { type DemoQuery, demoDashboards, demoQueries } from './queries.ts';
import { type Site, sites } from './sites.ts';

/** The simulated sensors report room temperature; the script shifts it to that of a freezer hall. */
const decoder = `function decodeUplink(input) {
  const bytes = input.bytes;
  const signed = (high, low) => ((high << 8) | low) << 16 >> 16;
  return {
    data: {
      temperature: Math.round((signed(bytes[0], bytes[1]) / 100 * 0.7 - 34.3) * 100) / 100,
      humidity: bytes[2] / 2,
      battery: ((bytes[3] << 8) | bytes[4]) / 1000,
      led: bytes[5] !== 0,
      interval: (bytes[6] << 8) | bytes[7],
    },
  };
}
`;

const euiOf = (networkId: number, index: number) =>
  `5e${networkId.toString(16).padStart(8, '0').slice(-8)}${(index + 1).toString(16).padStart(6, '0')}`;

/** Calls in groups, so that sixty devices do not wait for each other and the console is not flooded. */
async function together<T>(all: readonly T[], work: (one: T, index: number) => Promise<unknown>): Promise<void> {
  const most = 8;
  for (let at = 0; at < all.length; at += most) await Promise.all(all.slice(at, at + most).map((one, index) => work(one, at + index)));
}

const itemsOf = <T>(reply: T[] | { results: T[] }): T[] => (Array.isArray(reply) ? reply : reply.results);

/** The channels with their devices; the warehouse hears through the simulated LoRaWAN network. What is there already stays. */
export async function makeSites(client: ConsoleClient): Promise<void> {
  const networks = itemsOf(await client.call(networksApi.list, { query: {} }));
  const channels = new Set(itemsOf(await client.call(channelsApi.list, { query: {} })).map(({ channel_id }) => channel_id));
  for (const site of sites) {
    const network =
      site.kind === 'simulated' ? (networks.find(({ name }) => name === networkName) ?? (await makeNetwork(client, site))) : null;
    if (!channels.has(site.channel_id)) await makeChannel(client, site, network?.id ?? null);
    // Before its sensors are known: what they say first is to be decoded like the rest.
    if (network) await client.call(decodersApi.save, { params: { id: site.channel_id }, body: { script: decoder, examples: [] } });
    const known = new Set((await devicesOf(client, site)).map(({ device_id }) => device_id));
    await together(site.devices, async ({ device_id, name }, index) => {
      if (known.has(device_id)) return;
      const params = { id: site.channel_id };
      await client.call(devicesApi.create, {
        params,
        body: { device_id, device_name: name, dev_eui: network && euiOf(network.id, index) },
      });
      // The first word is the hall, the crop or the street.
      const tag = name.includes(',') ? name.split(',', 1)[0] : undefined;
      if (tag) await client.call(devicesApi.save, { params: { ...params, deviceId: device_id }, body: { tags: [tag] } });
    });
  }
}

const networkName = 'Warehouse LoRaWAN';

const makeNetwork = (client: ConsoleClient, { devices, seconds }: Site) =>
  client.call(networksApi.create, {
    body: {
      name: networkName,
      type: 'simulated',
      options: { devices: devices.length, interval_seconds: seconds, loss_percent: 2, speed: 1, gateways: 2 },
    },
  });

const makeChannel = (client: ConsoleClient, { channel_id, channel_name, kind }: Site, network_id: number | null) =>
  client.call(channelsApi.create, {
    body: { channel_id, channel_name, kind, ...(network_id !== null && { settings: { network_id, metadata: 'basic' as const } }) },
  });

export async function devicesOf(client: ConsoleClient, { channel_id }: Site): Promise<Device[]> {
  return itemsOf(await client.call(devicesApi.list, { params: { id: channel_id }, query: {} }));
}

/**
 * Queries with their pictures; the dashboards that show them. Each is published when it is complete: a draft is what a kill left behind,
 * and is made anew.
 */
export async function makeQueriesAndDashboards(client: ConsoleClient): Promise<void> {
  const source = itemsOf(await client.call(dataSourcesApi.list, { query: {} })).find(({ type }) => type === 'telltale');
  if (!source) throw new Error('The built-in source is missing.');
  const queries = (await client.call(queriesApi.list, { query: { page_size: 250 } })).results;
  const pictures = new Map<string, number[]>();
  await together(demoQueries, async (wanted) => {
    const known = queries.find(({ name }) => name === wanted.name);
    if (known && !known.is_draft) {
      const { visualizations } = await client.call(queriesApi.get, { params: { id: known.id } });
      pictures.set(
        wanted.key,
        visualizations.map(({ id }) => id).toSorted((one, other) => one - other),
      );
      return;
    }
    if (known) await client.call(queriesApi.archive, { params: { id: known.id } });
    pictures.set(wanted.key, await makeQuery(client, source.id, wanted));
  });
  const dashboards = (await client.call(dashboardsApi.list, { query: { page_size: 250 } })).results;
  // One after the other, because lists show them in the order of their making.
  for (const wanted of demoDashboards) {
    const known = dashboards.find(({ name }) => name === wanted.name);
    if (known && !known.is_draft) continue;
    if (known) await client.call(dashboardsApi.archive, { params: { id: known.id } });
    await makeDashboard(client, wanted, pictures);
  }
}

async function makeQuery(
  client: ConsoleClient,
  data_source_id: number,
  { name, description, tags, query, every, pictures }: DemoQuery,
): Promise<number[]> {
  const made = await client.call(queriesApi.create, {
    body: {
      name,
      description,
      query,
      data_source_id,
      tags,
      options: { parameters: [] },
      ...(every !== undefined && { schedule: { interval: String(every), time: null, day_of_week: null, until: null } }),
    },
  });
  const ids = made.visualizations.map(({ id }) => id);
  for (const picture of pictures) ids.push((await client.call(visualizationsApi.create, { body: { ...picture, query_id: made.id } })).id);
  await client.call(queriesApi.save, { params: { id: made.id }, body: { is_draft: false } });
  return ids;
}

async function makeDashboard(
  client: ConsoleClient,
  { name, tags, widgets }: (typeof demoDashboards)[number],
  pictures: ReadonlyMap<string, number[]>,
): Promise<void> {
  const dashboard = await client.call(dashboardsApi.create, { body: { name } });
  await together(widgets, (widget) => {
    const position =
      'text' in widget
        ? { col: 0, row: widget.row, sizeX: 6, sizeY: 2, autoHeight: true }
        : { col: widget.col, row: widget.row, sizeX: widget.sizeX, sizeY: widget.sizeY, autoHeight: false };
    const follows = 'follows' in widget && { follows_readings: true };
    return client.call(widgetsApi.create, {
      body: {
        dashboard_id: dashboard.id,
        width: 1,
        ...('text' in widget ? { text: widget.text } : { visualization_id: pictures.get(widget.query)?.[widget.picture] ?? null }),
        options: { position, isHidden: false, parameterMappings: {}, ...follows },
      },
    });
  });
  await client.call(dashboardsApi.save, { params: { id: dashboard.id }, body: { is_draft: false, tags } });
}

/** Alerts on devices, commands that change what devices do, a schedule, and snippets for the editor. What has its name is there already. */
export async function makeRules(client: ConsoleClient): Promise<void> {
  const alerts = new Set(itemsOf(await client.call(alertsApi.list, { query: {} })).map(({ name }) => name));
  const alert = async (name: string, options: CallInput<typeof alertsApi.create>['body']['options']) => {
    if (!alerts.has(name)) await client.call(alertsApi.create, { body: { name, rearm: 0, options } });
  };
  const device = (channel_id: string, attribute: string, op: '>' | '<', value: number, for_seconds = 0) => ({
    kind: 'device' as const,
    channel_id,
    device_ids: [],
    attribute,
    op,
    value,
    for_seconds,
  });
  await alert('Freezer warmer than −18 °C', device('cold-chain', 'temperature', '>', -18, 300));
  await alert('Bed is dry', device('greenhouse', 'soil_moisture', '<', 20));
  await alert('Fine dust above 75 µg/m³', device('air-quality', 'pm25', '>', 75));
  await alert('Warehouse sensor is silent', { kind: 'silence', channel_id: 'cold-chain', device_ids: [], silent_seconds: 900 });

  const commands = itemsOf(await client.call(commandsApi.list, { query: {} }));
  const command = async (name: string, channel_id: string, device_ids: string[], payload: string, fport = 1) =>
    commands.find((one) => one.name === name) ??
    client.call(commandsApi.create, { body: { name, channel_id, device_ids, payload, fport, mode: 'push', confirm: true } });
  const tomatoes = ['bed-1', 'bed-2', 'bed-3', 'bed-4'];
  const water = await command('Open the valves of the tomatoes', 'greenhouse', tomatoes, '{"valve": true}');
  await command('Close the valves of the tomatoes', 'greenhouse', tomatoes, '{"valve": false}');
  await command('Report every 10 seconds', 'greenhouse', ['bed-1'], '{"interval": 10}');
  await command('Light on in the blast freezer', 'cold-chain', ['sim-13'], '{"led": true}', 10);
  const params = { id: water.id };
  if (itemsOf(await client.call(schedulesApi.list, { params, query: {} })).length === 0) {
    await client.call(schedulesApi.create, {
      params,
      body: { type: 'r', name: 'Water at six', timezone: 'Europe/Berlin', schedule: '0 0 6 1/1 * ? *' },
    });
  }

  const snippets = new Set(itemsOf(await client.call(querySnippetsApi.list, { query: {} })).map(({ trigger }) => trigger));
  const snippet = async (trigger: string, description: string, text: string) => {
    if (!snippets.has(trigger)) await client.call(querySnippetsApi.create, { body: { trigger, description, snippet: text } });
  };
  await snippet(
    'last',
    'Last values of a channel',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the editor's own placeholders
    "select device_name, attribute, value, time\nfrom app.metric_last\nwhere channel_id = '${1:cold-chain}'",
  );
  await snippet(
    'hourly',
    'Hourly mean of an attribute',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the editor's own placeholders
    "select date_trunc('hour', time) as time, avg(value) as ${2:temperature}\nfrom app.metric\nwhere channel_id = '${1:cold-chain}' and attribute = '${2:temperature}' and time > now() - interval '7 days'\ngroup by 1\norder by 1",
  );
}
