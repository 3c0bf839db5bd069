/** A day among those of `spreadReadings`. */
const day = '2026-10-09';

/** Questions whose conditions are repeated inside of the relations. */
export const pushedQueries = [
  `select count(*) as n from app.metric where time >= '${day} 00:00:00'`,
  `select count(*) as n from app.metric where time < '${day} 05:30:00'`,
  `select count(*) as n from app.metric where '${day} 05:30:00' > time`,
  `select count(*) as n from app.metric where time between '${day} 00:00:00' and '${day} 23:59:59' and channel_id = 'harbour'`,
  `select count(*) as n from app.metric where time > toDateTime('${day} 00:00:00', 'America/Los_Angeles') and attribute = 'temperature'`,
  `select count(*) as n from app.metric where time > toDateTime('${day} 00:00:00') - interval 1 day - 2 * 3600 and value > 50`,
  `select count(*) as n from app.metric where time > now() - interval 9 year and time < now() + interval 9 year and device_id in ('dev-0', 'dev-3')`,
  'select count(*) as n from app.metric where time > toDateTime(today() - 3000) and time <= toDateTime(yesterday()) + interval 9 year',
  `select count(*) as n from app.metric where time - interval 1 minute < '${day} 00:00:00'`,
  "select count(*) as n from app.metric where attribute in ('volts', 'o''clock') and (value > 50 or channel_id = 'vault')",
  `select min(m.time) as low, max(m.time) as high from app.metric as m where m.time < '${day} 00:00:00' and m.device_id = 'dev-0'`,
  `select metric.time, metric.value from app.metric where metric.time >= '${day} 00:00:00' and metric.attribute = 'temperature'
   order by time, value limit 50`,
  `select * from app.metric where device_id = 'dev-0' and attribute = 'temperature' and toDateTime('${day} 00:10:30', 'UTC') = time`,
  // The alias is what is compared.
  `select toStartOfDay(time) as time, count(*) as n from app.metric where time > '${day} 00:00:00' and attribute = 'temperature'
   group by time order by time`,
  `select upper(channel_id) as channel_id, count(*) as n from app.metric where channel_id = 'HARBOUR' and attribute = 'volts' group by channel_id`,
  `select lower('VAULT') attribute, count(*) as n from app.metric where attribute = 'vault' and device_id = 'dev-0' group by attribute`,
  // The first and the last minute and hour are whole.
  `select time, min, max, avg, last, count from app.metric_minute where time > '${day} 05:10:00' and time < '${day} 07:50:00'
   order by time, device_id, attribute`,
  `select time, count from app.metric_minute where time = toDateTime('${day} 05:10:00', 'UTC') order by time, device_id, attribute`,
  `select time, min, max, avg, last, count from app.metric_hour where time between '${day} 05:00:00' and '${day} 07:00:00'
   order by time, device_id, attribute`,
  `select count(*) as n, min(time) as low from app.metric_last where time > '2026-10-01 00:00:00' and channel_id = 'harbour'`,
  `select device_id, count(*) as n from app.metric where time < '${day} 00:00:00'
     and device_id in (select device_id from app.metric_last where attribute = 'volts' and value > 20) group by device_id order by device_id`,
  `select max(n) as most, count(*) as days
   from (select toDate(time) as day, count(*) as n from app.metric where time > '${day} 00:00:00' group by day)`,
  `select sum(n) as n from (select count(*) as n from app.metric where channel_id = 'vault' union all
   select count(*) as n from app.metric where channel_id = 'harbour' and time < '${day} 00:00:00')`,
];
