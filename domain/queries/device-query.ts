import { z } from 'zod';
import { endpoint, Id } from '../endpoint.ts';
import type { QueryOptions, QueryParameter } from '../parameters/contract.ts';
import { quoteName, quoteText } from '../sql/quote.ts';
import { Query } from './contract.ts';

const incomplete = 'Fill All the values to continue';
const id = z.string(incomplete).trim().min(1, incomplete).max(255);
const many = (most: number) =>
  z
    .union([z.array(id), id.transform((one) => [one])], incomplete)
    .transform((all) => [...new Set(all)])
    .pipe(z.array(z.string()).min(1, incomplete).max(most, `Choose at most ${most}.`));

/** Q3: the devices and attributes of a query made with the New Query dialog. */
export const DeviceSelection = z.object({ channel_id: id, device_ids: many(500), attributes: many(100) });
export type DeviceSelection = z.output<typeof DeviceSelection>;

/** `is_edited` is ours: the text differs from the one that these choices make, so applying them would overwrite edits. */
export const DeviceQuery = z.object({
  id: z.int(),
  channel_id: z.string(),
  device_ids: z.array(z.string()),
  attributes: z.array(z.string()),
  is_edited: z.boolean(),
  version: z.int(),
});
export type DeviceQuery = z.infer<typeof DeviceQuery>;

const Channel = z.object({ channel_id: z.string(), channel_name: z.string() });
const Device = z.object({ device_id: z.string(), device_name: z.string() });
const OfChannel = z.object({ id: z.string().max(255) });
const OfQuery = z.object({ id: Id });

/** More would make the address too long: then the whole channel is asked. */
export const mostAskedDevices = 100;
const deviceId = z.string().max(255);
const AskedDevices = z.object({
  device_ids: z.union([z.array(deviceId).max(mostAskedDevices), deviceId.transform((one) => [one])]).optional(),
});

export const deviceQueriesApi = {
  applications: endpoint('GET', '/api/queries/applications', {
    needs: 'view_query',
    reply: z.array(Channel),
    summary: 'Channels to choose from.',
  }),
  devices: endpoint('GET', '/api/queries/applications/:id/devices', {
    needs: 'view_query',
    params: OfChannel,
    reply: z.array(Device),
    summary: 'Devices of a channel.',
  }),
  attributes: endpoint('GET', '/api/queries/applications/:id/devices/:deviceId/attributes', {
    needs: 'view_query',
    params: OfChannel.extend({ deviceId: z.string().max(255) }),
    reply: z.array(z.string()),
    summary: 'Attributes that a device has reported.',
  }),
  attributesOf: endpoint('GET', '/api/queries/applications/:id/attributes', {
    needs: 'view_query',
    params: OfChannel,
    query: AskedDevices,
    reply: z.array(z.string()),
    summary: 'Attributes that any of these devices has reported; without devices, any device of the channel.',
  }),
  add: endpoint('POST', '/api/queries/add', {
    needs: 'create_query',
    body: DeviceSelection.extend({ name: id }),
    reply: Query,
    summary: 'Saves a new query over devices and their attributes.',
  }),
  get: endpoint('GET', '/api/myqueries/:id', {
    needs: 'view_query',
    params: OfQuery,
    reply: DeviceQuery,
    summary: 'The devices and attributes a query was made from.',
  }),
  save: endpoint('POST', '/api/myqueries/:id', {
    needs: 'edit_query',
    params: OfQuery,
    body: DeviceSelection.extend({ version: z.int().optional() }),
    reply: DeviceQuery,
    summary: 'Makes the text of a query anew from other devices or attributes.',
  }),
};

/** Q2: today, until the user chooses otherwise. */
export const timerange: QueryParameter = {
  name: 'timerange',
  title: 'Time range',
  type: 'datetime-range',
  value: 'd_today',
  global: false,
};

/** The parameters of a query, with the time range added if it is missing. */
export const withTimerange = (options: QueryOptions): QueryOptions =>
  options.parameters.some(({ name }) => name === timerange.name) ? options : { ...options, parameters: [...options.parameters, timerange] };

export interface SelectedAttribute {
  name: string;
  /** Text has a column of its own. */
  isText: boolean;
}

/** A name with braces would be read as a parameter. */
export const canBeQueried = (name: string): boolean => !/\{\{|\}\}/.test(name);

/** What differs in the text between the two databases that IoT data may be kept in. */
const dialectParts = {
  postgres: {
    cell: (column: string, isAttribute: string) => `max(${column}) filter (where ${isAttribute})`,
    // The end of the range is a minute, which is included as a whole.
    range: ["time >= '{{ timerange.start }}'", "time < timestamptz '{{ timerange.end }}' + interval '1 minute'"],
  },
  clickhouse: {
    cell: (column: string, isAttribute: string) => `max(if(${isAttribute}, ${column}, null))`,
    range: ["time >= '{{ timerange.start }}:00'", "time - interval 1 minute < '{{ timerange.end }}:00'"],
  },
};
/** Time, the device when there are several, and a column for each attribute. */
export function deviceQueryText(
  selection: { channel_id: string; device_ids: string[]; attributes: SelectedAttribute[] },
  dialect: keyof typeof dialectParts = 'postgres',
): string {
  const text = (value: string) => quoteText(value, dialect);
  const { cell, range } = dialectParts[dialect];
  const several = selection.device_ids.length > 1;
  const keys = several ? ['time', 'device_id'] : ['time'];
  const columns = selection.attributes.map(
    ({ name, isText }) =>
      `${cell(isText ? 'value_text' : 'value', `attribute = ${text(name)}`)} as ${quoteName(columnName(name, keys), dialect)}`,
  );
  return [
    `select ${[...keys, ...columns].join(',\n  ')}`,
    'from app.metric',
    `where channel_id = ${text(selection.channel_id)}`,
    `  and device_id in (${selection.device_ids.map(text).join(', ')})`,
    `  and attribute in (${selection.attributes.map(({ name }) => text(name)).join(', ')})`,
    ...range.map((condition) => `  and ${condition}`),
    `group by ${keys.join(', ')}`,
    `order by ${keys.join(', ')}`,
  ].join('\n');
}

/** Our own columns have precedence (design 8, wide views). */
const columnName = (name: string, keys: string[]) => (keys.includes(name) ? `attr_${name}` : name);

/**
 * The initial line chart of a query over devices: time along x, a line for each attribute of each device, and gaps for missing reports.
 * Undefined where no attribute is a number.
 */
export function deviceChartOptions(selection: {
  device_ids: readonly string[];
  attributes: readonly SelectedAttribute[];
}): Record<string, unknown> | undefined {
  const isSeveral = selection.device_ids.length > 1;
  const keys = isSeveral ? ['time', 'device_id'] : ['time'];
  const measured = selection.attributes.filter(({ isText }) => !isText).map(({ name }) => columnName(name, keys));
  if (measured.length === 0) return undefined;
  return {
    globalSeriesType: 'line',
    columnMapping: { time: 'x', ...Object.fromEntries(measured.map((name) => [name, 'y'])), ...(isSeveral && { device_id: 'series' }) },
    xAxis: { type: 'datetime', labels: { enabled: true } },
    missingValuesAsZero: false,
  };
}
