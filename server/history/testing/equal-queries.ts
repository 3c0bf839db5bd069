/** Questions in the words of PostgreSQL and of ClickHouse; one text where both understand it. */
export const equalQueries: (string | [postgres: string, clickhouse: string])[] = [
  'select count(*) as n from app.metric',
  'select channel_id, count(*) as n from app.metric group by channel_id order by channel_id',
  'select channel_id, device_id, count(*) as n from app.metric group by channel_id, device_id order by channel_id, device_id',
  'select attribute, avg(value) as mean from app.metric group by attribute order by attribute',
  'select device_id, min(value) as low, max(value) as high from app.metric group by device_id order by device_id',
  'select channel_name, sum(value) as total from app.metric group by channel_name order by channel_name',
  [
    "select attribute, stddev_pop(value) as s from app.metric where attribute = 'volts' group by attribute",
    "select attribute, stddevPop(value) as s from app.metric where attribute = 'volts' group by attribute",
  ],
  [
    "select attribute, var_pop(value) as s from app.metric where attribute = 'temperature' group by attribute",
    "select attribute, varPop(value) as s from app.metric where attribute = 'temperature' group by attribute",
  ],
  [
    "select date_trunc('hour', time) as hour, count(*) as n from app.metric group by 1 order by 1",
    'select toStartOfHour(time) as hour, count(*) as n from app.metric group by hour order by hour',
  ],
  [
    "select to_char(time, 'YYYY-MM-DD') as day, avg(value) as mean from app.metric group by 1 order by 1",
    'select toString(toDate(time)) as day, avg(value) as mean from app.metric group by day order by day',
  ],
  "select count(*) as n from app.metric where time >= '2026-10-01 03:00:00'",
  "select count(*) as n from app.metric where time between '2026-10-01 02:00:00' and '2026-10-01 05:00:00'",
  [
    "select distinct on (device_id) device_id, value from app.metric where channel_id = 'harbour' and attribute = 'volts' order by device_id, time desc",
    "select device_id, argMax(value, time) as value from app.metric where channel_id = 'harbour' and attribute = 'volts' group by device_id order by device_id",
  ],
  [
    "select distinct on (device_id) device_id, value from app.metric where channel_id = 'vault' and attribute = 'volts' order by device_id, time",
    "select device_id, argMin(value, time) as value from app.metric where channel_id = 'vault' and attribute = 'volts' group by device_id order by device_id",
  ],
  "select count(distinct value_text) as n from app.metric where attribute = 'note'",
  "select value_text, count(*) as n from app.metric where attribute = 'note' group by value_text order by value_text",
  "select count(*) as n from app.metric where device_name like 'Device 3%'",
  "select attribute, count(*) as n from app.metric where attribute in ('volts', 'relay') group by attribute order by attribute",
  "select count(*) as n from app.metric where attribute not in ('volts', 'relay')",
  "select sum(case when value > 50 then 1 else 0 end) as n from app.metric where attribute = 'air.humidity'",
  "select device_id, avg(value) as mean from app.metric where attribute = 'temperature' group by device_id having avg(value) > 10 order by device_id",
  "select time, device_id, value from app.metric where attribute = 'volts' and channel_id = 'vault' order by time, device_id limit 25",
  "select time, device_id, value from app.metric where attribute = 'volts' and channel_id = 'vault' order by time desc, device_id limit 10 offset 20",
  'select distinct channel_id, channel_name, device_id, device_name from app.metric order by channel_id, device_id',
  'select count(distinct device_id) as devices, count(distinct attribute) as attributes from app.metric',
  'select max(n) as most from (select device_id, count(*) as n from app.metric group by device_id) counted',
  [
    'select d.device_name, count(*) as n from app.metric m join app.device d on d.channel_id = m.channel_id and d.device_id = m.device_id group by 1 order by 1',
    `select name as device_name, count(*) as n from (select channel_id, device_id from app.metric)
     any inner join (select channel_id, device_id, device_name as name from app.device) using (channel_id, device_id) group by name order by name`,
  ],
  'select channel_id, device_id, attribute, time, value, value_text, kind, uplink_id from app.metric_last order by channel_id, device_id, attribute',
  'select channel_id, device_id, device_name, dev_eui, latitude from app.device order by channel_id, device_id',
  'select channel_id, channel_name, kind from app.channel order by channel_id',
  [
    'select attribute, sum(count) as n, max(max) as high, min(min) as low from app.metric_minute group by attribute order by attribute',
    'select attribute, sum(count) as n, max(max) as high, min(min) as low from app.metric_minute group by attribute order by attribute',
  ],
  "select time, device_id, avg, last, count from app.metric_hour where attribute = 'volts' and channel_id = 'harbour' order by time, device_id",
  "select time, min, max, last, count from app.metric_minute where attribute = 'relay' and channel_id = 'vault' and device_id = 'dev-4' order by time",
  'select count(value) as numbers, count(value_text) as texts, count(uplink_id) as uplinks from app.metric',
  'select kind, count(*) as n from app.metric group by kind order by kind',
  'select count(*) as n from app.metric where uplink_id is null and value is not null',
  "select avg(value * 1.8 + 32) as fahrenheit from app.metric where attribute = 'temperature'",
  "select sum(coalesce(value, 1)) as n from app.metric where attribute in ('note', 'relay')",
  [
    "select extract(hour from time)::int as hour, avg(value) as mean from app.metric where attribute = 'volts' group by 1 order by 1",
    "select toHour(time) as hour, avg(value) as mean from app.metric where attribute = 'volts' group by hour order by hour",
  ],
  [
    'select extract(isodow from time)::int as day, count(*) as n from app.metric group by 1 order by 1',
    'select toDayOfWeek(time) as day, count(*) as n from app.metric group by day order by day',
  ],
  [
    "select attribute, count(*) as n from (select attribute from app.metric where channel_id = 'harbour' union all select attribute from app.metric) both_of group by attribute order by attribute",
    "select attribute, count(*) as n from (select attribute from app.metric where channel_id = 'harbour' union all select attribute from app.metric) group by attribute order by attribute",
  ],
  "select count(*) as n from app.metric where device_id in (select device_id from app.metric_last where attribute = 'volts' and value > 40)",
  "select upper(device_id) as name, length(attribute) as n, round(max(value)) as high from app.metric where attribute = 'volts' group by device_id, attribute order by name",
  [
    "select time + interval '1 hour' as later from app.metric where attribute = 'volts' and channel_id = 'vault' and device_id = 'dev-0' order by 1 limit 5",
    "select time + interval 1 hour as later from app.metric where attribute = 'volts' and channel_id = 'vault' and device_id = 'dev-0' order by later limit 5",
  ],
];
