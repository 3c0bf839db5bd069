/** The twelve demo queries about the three sites. `pictures` follow the table that every query has. */

interface Picture {
  type: string;
  name: string;
  options: Record<string, unknown>;
}

export interface DemoQuery {
  key: string;
  name: string;
  description: string;
  tags: string[];
  query: string;
  /** Seconds between scheduled runs. */
  every?: number;
  pictures: readonly Picture[];
}

/** Pictures have the names of their kinds: the title of a widget is then the name of its query. */
const line = (columns: Record<string, string>, more: Record<string, unknown> = {}): Picture => ({
  type: 'CHART',
  name: 'Chart',
  options: {
    globalSeriesType: 'line',
    columnMapping: columns,
    xAxis: { type: 'datetime', labels: { enabled: true } },
    missingValuesAsZero: false,
    ...more,
  },
});
const columns = (mapping: Record<string, string>, hasLegend = false): Picture => ({
  type: 'CHART',
  name: 'Chart',
  options: {
    globalSeriesType: 'column',
    columnMapping: mapping,
    legend: { enabled: hasLegend },
    xAxis: { type: 'category', labels: { enabled: true } },
    missingValuesAsZero: false,
  },
});
const counter = (label: string, column: string, suffix = ''): Picture => ({
  type: 'COUNTER',
  name: 'Counter',
  options: { counterLabel: label, counterColName: column, rowNumber: 1, stringDecimal: 1, stringSuffix: suffix },
});

const lately = (
  channel: string,
  attribute: string,
  hours: number,
  bucket: string,
) => `select date_bin('${bucket}', time, '2000-01-01') as time, device_name as device, avg(value) as ${attribute}
from app.metric
where channel_id = '${channel}' and attribute = '${attribute}' and time > now() - interval '${hours} hours'
group by 1, 2
order by 1, 2`;

export const demoQueries: readonly DemoQuery[] = [
  {
    key: 'cold-now',
    name: 'Warmest places',
    description: 'The last temperature of every sensor, warmest first.',
    tags: ['cold chain'],
    every: 60,
    query: `select device_name as place, value as temperature, time as measured_at
from app.metric_last
where channel_id = 'cold-chain' and attribute = 'temperature'
order by value desc`,
    pictures: [columns({ place: 'x', temperature: 'y' }), counter('Warmest place', 'temperature', ' °C')],
  },
  {
    key: 'cold-day',
    name: 'Freezers, 24 hours',
    description: 'Quarter-hour means of each sensor.',
    tags: ['cold chain'],
    every: 300,
    query: lately('cold-chain', 'temperature', 24, '15 minutes'),
    pictures: [line({ time: 'x', temperature: 'y', device: 'series' })],
  },
  {
    key: 'cold-breaches',
    name: 'Hours above −18 °C',
    description: 'How long each place was too warm in the last 30 days.',
    tags: ['cold chain', 'compliance'],
    query: `select device_name as place, sum(case when max > -18 then 1 else 0 end) as hours_above, max(max) as warmest
from app.metric_hour
where channel_id = 'cold-chain' and attribute = 'temperature' and time > now() - interval '30 days'
group by 1
order by 2 desc`,
    pictures: [columns({ place: 'x', hours_above: 'y' }), counter('Hours above −18 °C at the worst place', 'hours_above', ' h')],
  },
  {
    key: 'cold-battery',
    name: 'Sensor batteries',
    description: 'Lowest first: the next ones to change.',
    tags: ['cold chain', 'maintenance'],
    query: `select device_name as place, value as volts from app.metric_last
where channel_id = 'cold-chain' and attribute = 'battery' order by value`,
    pictures: [counter('Lowest battery', 'volts', ' V')],
  },
  {
    key: 'green-moisture',
    name: 'Soil, 24 hours',
    description: 'Mean of the four rows of each crop.',
    tags: ['greenhouse'],
    every: 300,
    query: `select date_bin('15 minutes', time, '2000-01-01') as time, split_part(device_name, ',', 1) as crop, avg(value) as soil_moisture
from app.metric
where channel_id = 'greenhouse' and attribute = 'soil_moisture' and time > now() - interval '24 hours'
group by 1, 2
order by 1, 2`,
    pictures: [line({ time: 'x', soil_moisture: 'y', crop: 'series' })],
  },
  {
    key: 'green-dry',
    name: 'Driest beds',
    description: 'Beds below 30 % need water.',
    tags: ['greenhouse'],
    every: 60,
    query: `select device_name as bed, value as soil_moisture from app.metric_last
where channel_id = 'greenhouse' and attribute = 'soil_moisture' order by value limit 10`,
    pictures: [counter('Driest bed', 'soil_moisture', ' %'), columns({ bed: 'x', soil_moisture: 'y' })],
  },
  {
    key: 'green-climate',
    name: 'Climate, 7 days',
    description: 'Hourly temperature and light of the whole house.',
    tags: ['greenhouse'],
    query: `select date_trunc('hour', time) as time, avg(value) filter (where attribute = 'air_temperature') as air_temperature,
  avg(value) filter (where attribute = 'light') / 1000 as light_klx
from app.metric
where channel_id = 'greenhouse' and attribute in ('air_temperature', 'light') and time > now() - interval '7 days'
group by 1
order by 1`,
    pictures: [line({ time: 'x', air_temperature: 'y', light_klx: 'y' })],
  },
  {
    key: 'air-map',
    name: 'Fine dust now',
    description: 'Last PM2.5 of each station with its place.',
    tags: ['air quality'],
    every: 60,
    query: `select d.device_name as station, d.latitude, d.longitude, m.value as pm25,
  case when m.value > 50 then 'bad' when m.value > 25 then 'fair' else 'good' end as rating
from app.device d join app.metric_last m on m.channel_id = d.channel_id and m.device_id = d.device_id and m.attribute = 'pm25'
where d.channel_id = 'air-quality' and d.latitude is not null`,
    pictures: [
      {
        type: 'MAP',
        name: 'Map (Markers)',
        options: {
          latColName: 'latitude',
          lonColName: 'longitude',
          classify: 'rating',
          groups: { good: { color: '#2F9E44' }, fair: { color: '#F08C00' }, bad: { color: '#C92A2A' } },
          clusterMarkers: false,
          tooltip: { enabled: true, template: '{{ station }}: {{ pm25 }} µg/m³' },
        },
      },
    ],
  },
  {
    key: 'air-day',
    name: 'Fine dust, 24 hours',
    description: 'Half-hour means of PM2.5.',
    tags: ['air quality'],
    every: 600,
    query: lately('air-quality', 'pm25', 24, '30 minutes'),
    pictures: [line({ time: 'x', pm25: 'y', device: 'series' })],
  },
  {
    key: 'air-hours',
    name: 'NO₂ by hour of day',
    description: 'Rush hours of the last 30 days.',
    tags: ['air quality'],
    query: `select extract(hour from time)::int as hour, avg(value) as no2 from app.metric
where channel_id = 'air-quality' and attribute = 'no2' and time > now() - interval '30 days'
group by 1
order by 1`,
    pictures: [columns({ hour: 'x', no2: 'y' })],
  },
  {
    key: 'fleet',
    name: 'Devices by site',
    description: 'How many devices each site has, and how many were heard in the last ten minutes.',
    tags: ['fleet'],
    every: 300,
    query: `select channel_name as site, count(*) as devices,
  count(*) filter (where last_seen_at > now() - interval '10 minutes') as heard, max(last_seen_at) as last_seen
from app.device
group by 1
order by 1`,
    pictures: [columns({ site: 'x', devices: 'y', heard: 'y' }, true)],
  },
  {
    key: 'quiet',
    name: 'Quietest devices',
    description: 'Those that have not been heard for the longest time.',
    tags: ['fleet', 'maintenance'],
    every: 300,
    query: `select device_name as device, channel_name as site, last_seen_at as last_seen from app.device order by last_seen_at limit 20`,
    pictures: [],
  },
];

/** A widget: the key of a query and the index of its visualization (0 is the table), or a text. */
export type DemoWidget =
  | { query: string; picture: number; col: number; row: number; sizeX: number; sizeY: number; follows?: true }
  | { text: string; row: number };

export const demoDashboards: readonly { name: string; tags: string[]; widgets: readonly DemoWidget[] }[] = [
  {
    name: 'Cold-chain warehouse',
    tags: ['cold chain'],
    widgets: [
      { text: 'Twenty LoRaWAN sensors in five halls. Goods must stay below **−18 °C**; batteries are changed below 3.3 V.', row: 0 },
      { query: 'cold-now', picture: 2, col: 0, row: 2, sizeX: 2, sizeY: 4, follows: true },
      { query: 'cold-battery', picture: 1, col: 0, row: 6, sizeX: 2, sizeY: 4 },
      { query: 'cold-now', picture: 1, col: 2, row: 2, sizeX: 4, sizeY: 8, follows: true },
      { query: 'cold-day', picture: 1, col: 0, row: 10, sizeX: 6, sizeY: 9 },
    ],
  },
  {
    name: 'Greenhouse today',
    tags: ['greenhouse'],
    widgets: [
      { query: 'green-dry', picture: 1, col: 0, row: 0, sizeX: 2, sizeY: 6, follows: true },
      { query: 'green-dry', picture: 2, col: 2, row: 0, sizeX: 4, sizeY: 6, follows: true },
      { query: 'green-moisture', picture: 1, col: 0, row: 6, sizeX: 6, sizeY: 8 },
      { query: 'green-climate', picture: 1, col: 0, row: 14, sizeX: 6, sizeY: 8 },
    ],
  },
  {
    name: 'City air quality',
    tags: ['air quality'],
    widgets: [
      { query: 'air-map', picture: 1, col: 0, row: 0, sizeX: 4, sizeY: 10, follows: true },
      { query: 'air-map', picture: 0, col: 4, row: 0, sizeX: 2, sizeY: 10 },
      { query: 'air-day', picture: 1, col: 0, row: 10, sizeX: 4, sizeY: 8 },
      { query: 'air-hours', picture: 1, col: 4, row: 10, sizeX: 2, sizeY: 8 },
    ],
  },
  {
    name: 'Compliance, last 30 days',
    tags: ['cold chain', 'compliance'],
    widgets: [
      { text: 'For the auditor: hours in which a place was warmer than **−18 °C** at any moment, over the last 30 days.', row: 0 },
      { query: 'cold-breaches', picture: 2, col: 0, row: 2, sizeX: 2, sizeY: 8 },
      { query: 'cold-breaches', picture: 1, col: 2, row: 2, sizeX: 4, sizeY: 8 },
      { query: 'cold-breaches', picture: 0, col: 0, row: 10, sizeX: 6, sizeY: 10 },
    ],
  },
  {
    name: 'Fleet',
    tags: ['fleet'],
    widgets: [
      { query: 'fleet', picture: 1, col: 0, row: 0, sizeX: 3, sizeY: 8 },
      { query: 'fleet', picture: 0, col: 3, row: 0, sizeX: 3, sizeY: 8 },
      { query: 'quiet', picture: 0, col: 0, row: 8, sizeX: 3, sizeY: 9 },
      { query: 'cold-battery', picture: 0, col: 3, row: 8, sizeX: 3, sizeY: 9 },
    ],
  },
];
