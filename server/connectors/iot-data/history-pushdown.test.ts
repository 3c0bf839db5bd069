import { sampler } from '@telltale/domain/sql/sampling.ts';
import { describe, expect, test } from 'vitest';
import { pushDown } from './history-pushdown.ts';
import { readerViews } from './history-views.ts';

/** The conditions inside of each relation of a text that reads `app.…`. */
function inside(query: string): string[] {
  const found: string[] = [];
  pushDown(query.replaceAll('app.', 'd.'), 'd', (relation, conditions) => {
    found.push(`${relation}: ${conditions.join(' and ')}`);
    return '';
  });
  return found;
}
const ofWhere = (where: string) => inside(`select count(*) from app.metric where ${where}`).map((text) => text.replace('metric: ', ''));
const utc = (text: string) => `toDateTime('${text}', 'UTC')`;
const moment = utc('2026-10-01 00:00:00');

describe('a condition on the key is repeated inside, times with 27 hours more', () => {
  test.each([
    ["channel_id = 'harbour'", "channel_id = 'harbour'"],
    ["\"channel_id\" = 'o''hara' and `device_id` = 'ü {}'", "channel_id = 'o''hara' and device_id = 'ü {}'"],
    ["metric.attribute = 'volts'", "attribute = 'volts'"],
    ["device_id in ('a')", "device_id in ('a')"],
    ["device_id IN ('a', 'b' , 'c') AND value > 3", "device_id in ('a','b','c')"],
    ["time > '2026-10-01 00:00:00'", `time >= ${moment} - 97200`],
    ["time >= '2026-10-01'", `time >= ${moment} - 97200`],
    ["time < '2026-10-01T00:00:00.250'", `time <= ${moment} + 97200`],
    ["time <= '2026-10-01 00:00'", `time <= ${moment} + 97200`],
    ["time = '2026-10-01 00:00:00'", `time >= ${moment} - 97200 and time <= ${moment} + 97200`],
    ["'2026-10-01 00:00:00' <= time", `time >= ${moment} - 97200`],
    ["toDateTime('2026-10-01 00:00:00') > time", `time <= ${moment} + 97200`],
    [
      "time between '2026-10-01 00:00:00' and '2026-10-02 00:00:00' and kind = 'n'",
      `time >= ${moment} - 97200 and time <= ${utc('2026-10-02 00:00:00')} + 97200`,
    ],
    ["time > toDateTime('2026-10-01 00:00:00', 'Asia/Kolkata')", `time >= ${moment} - 97200`],
    ["time > toDateTime('2026-10-01 00:00:00') - interval 2 month", `time >= toDateTime(${moment} - interval 2 month) - 97200`],
    ['time > now() - 3600', 'time >= toDateTime(now() - 3600) - 97200'],
    ['time > NOW() - 7 * 24 * 3600 + 5', 'time >= toDateTime(now() - 7 * 24 * 3600 + 5) - 97200'],
    ['time > now() - INTERVAL 1 DAY', 'time >= toDateTime(now() - INTERVAL 1 DAY) - 97200'],
    ['time > toDateTime(today())', 'time >= toDateTime(toDateTime(today())) - 97200'],
    ['time >= toDateTime(yesterday() - 3) + interval 6 hour', 'time >= toDateTime(toDateTime(yesterday() - 3) + interval 6 hour) - 97200'],
    [
      'time between now() - interval 1 week and now()',
      'time >= toDateTime(now() - interval 1 week) - 97200 and time <= toDateTime(now()) + 97200',
    ],
    ["time - interval 1 minute < '2026-10-01 00:00:00'", `time <= ${moment} + 97200`],
    ["value between 1 and 2 and attribute = 'volts'", "attribute = 'volts'"],
    ["value not between 1 and 2 and attribute = 'volts'", "attribute = 'volts'"],
    ["(value > 1 or kind = 's') and attribute = 'volts'", "attribute = 'volts'"],
    ["not value = 1 and uplink_id is not null and attribute = 'volts'", "attribute = 'volts'"],
    ["device_name like 'Device 3%' and value in [1, 2] and attribute = 'volts'", "attribute = 'volts'"],
    ["value > time - interval 1 day and attribute = 'volts'", "attribute = 'volts'"],
    ["attribute = 'volts' /* or */ -- or\n", "attribute = 'volts'"],
  ])('%s', (where, expected) => expect(ofWhere(where)).toEqual([expected]));
});

describe('what is not surely such a condition stays outside', () => {
  test.each([
    // other operators and values
    "channel_id != 'a'",
    "channel_id <> 'a'",
    "channel_id == 'a'",
    "channel_id like 'a'",
    "channel_id not in ('a')",
    "channel_id global in ('a')",
    "not channel_id = 'a'",
    "channel_id = 'a' = 0",
    "channel_id = concat('a', 'b')",
    'channel_id = device_id',
    "lower(channel_id) = 'a'",
    "channel_id = 'a\\x62'",
    "device_id in ('a', 'b\\'')",
    "device_id in ('a', lower('B'))",
    'device_id in (select device_id from app.device)',
    "device_id in ('a', 'b') = 0",
    'device_id in ()',
    "device_id in 'a'",
    "device_name = 'a'",
    "Channel_id = 'a'",
    "other.channel_id = 'a'",
    "app.metric.channel_id = 'a'",
    "(channel_id = 'a')",
    // times
    "time != '2026-10-01 00:00:00'",
    "time in ('2026-10-01 00:00:00')",
    "time > '2026-02-30 00:00:00'",
    "time > '2026-10-01 24:00:00'",
    "time > '2026-10-01 00:00:00Z'",
    "time > '1971-12-31 00:00:00'",
    "time < '2101-01-01 00:00:00'",
    "time > '2026-10-01 00:00:00' - interval 1 day",
    "time < toDateTime('2090-01-01 00:00:00') + interval 1 year",
    "time > toDateTime('2026-10-01 00:00:00', 'Asia/\\x4bolkata')",
    "time > toDateTime(concat('2026', '-10-01 00:00:00'))",
    'time > 1790812800',
    'time > now() - interval 21 year',
    'time > now() - interval 10 year - interval 11 year',
    'time > now() - 99999999999',
    'time > now() - 99999 * 99999',
    'time > now() - 0.5',
    'time > now() - -5',
    'time > now() - interval 1 day * 2',
    'time > now() - interval -1 day',
    "time > now() - interval '1 day'",
    'time > now() - interval 1 fortnight',
    'time > now() - value',
    "time > now('UTC')",
    'time > now() - now()',
    'time > TODAY()',
    // Old servers compare the number of the day with seconds, and take hours of a date for days.
    'time > today()',
    'time > today() - 3',
    'time > toDateTime(today() - interval 3 hour)',
    'time > toDateTime(today() - 86400)',
    'time > toStartOfDay(now())',
    "time - interval 1 minute > '2026-10-01 00:00:00'",
    "time + interval 1 minute < '2026-10-01 00:00:00'",
    "time - interval 3 hour < '2026-10-01 00:00:00'",
    "time between '2026-10-01 00:00:00' and value",
    "time not between '2026-10-01 00:00:00' and '2026-10-02 00:00:00'",
    // texts in which AND does not join conditions of the WHERE, or not all of them
    "attribute = 'volts' or value = 1",
    "value = 1 or attribute = 'a' and channel_id = 'b'",
    "attribute = 'a' and value = 1 or channel_id = 'b'",
    "attribute = 'a' and value ? 0 : 1",
    "attribute = 'a' || 'b' and channel_id = 'c'",
    "attribute = 'a' and x -> x and channel_id = 'c'",
    "(attribute = 'a' and channel_id = 'b' and 1) = 0",
    "[attribute = 'a' and channel_id = 'b' and 1, 1][2]",
    "case when value = 1 and channel_id = 'b' and kind = 'n' then 0 else 1 end",
    "time > now() - interval 1 and channel_id = 'b' and 2 day",
    "channel_id = 'a' as device_id and device_id",
    "channel_id = 'a' and format = 1 or value = 1",
    "channel_id = 'a' and limit or value = 1",
    "value = 1 unknown clause and channel_id = 'a'",
    "value = 1 intersect select 1 from app.metric where value = 2 or value = 3 and channel_id = 'a'",
  ])('%s', (where) => expect(ofWhere(where)).toEqual([]));
});

describe('a name that is given to something else is not the column', () => {
  test.each([
    "select toStartOfHour(time) as time, count(*) from app.metric where time > '2026-10-01 00:00:00' group by time",
    "select toStartOfHour(time) time from app.metric where time > '2026-10-01 00:00:00'",
    'select toStartOfHour(time) "time" from app.metric where time > \'2026-10-01 00:00:00\'',
    "select toStartOfHour(time) as `time` from app.metric where time > '2026-10-01 00:00:00'",
    "select value attribute from app.metric where attribute = 'a'",
    "select 'a' attribute from app.metric where attribute = 'a'",
    "select 1 attribute from app.metric where attribute = 'a'",
    "select [1] attribute from app.metric where attribute = 'a'",
    "select case when 1 then 2 end attribute from app.metric where attribute = 'a'",
    "with 'b' as attribute select count(*) from app.metric where attribute = 'a'",
    "with attribute as (select 1) select count(*) from app.metric where attribute = 'a'",
    "with x as (select 1), attribute as (select 1) select count(*) from app.metric where attribute = 'a'",
    "select count(*) from app.metric where attribute = 'a' and (kind as attribute) = 'n'",
    "select count(*) from app.metric where attribute = 'a' order by upper(kind) as attribute",
    "select count(*) from app.metric as attribute where attribute = 'a'",
    "select 1 as Attribute, count(*) from app.metric where attribute = 'a'",
    'select kind as "m.attribute" from app.metric m where m.attribute = \'a\'',
    "select kind as m from app.metric m where m.attribute = 'a'",
    "select kind as metric from app.metric where metric.attribute = 'a'",
    "select 1 by, by attribute from app.metric where attribute = 'a'",
    "select 1 as by, by attribute from app.metric where attribute = 'a'",
    'select 1 "by", by attribute from app.metric where attribute = \'a\'',
    'select x -> 1 as now from app.metric where time > now()',
  ])('%s', (query) => expect(inside(query)).toEqual([]));

  test('another column of the same statement is repeated', () => {
    expect(
      inside("select toStartOfHour(time) as time from app.metric where time > '2026-10-01 00:00:00' and channel_id = 'a' group by time"),
    ).toEqual(["metric: channel_id = 'a'"]);
    expect(inside('select max(value) as "air.time" from app.metric where attribute = \'a\'')).toEqual(["metric: attribute = 'a'"]);
  });
});

describe('each relation of a statement takes the conditions of its own WHERE', () => {
  test.each([
    [
      "select 1 from app.metric where attribute = 'a' group by time having avg(value) > 1 or 1 order by time limit 5",
      ["metric: attribute = 'a'"],
    ],
    ["select 1 from app.metric where attribute = 'a' limit 1 by kind format JSON", ["metric: attribute = 'a'"]],
    ["select 1 from app.metric as m where m.attribute = 'a'", ["metric: attribute = 'a'"]],
    ['select 1 from app.metric "My m" where "My m".attribute = \'a\' and m.device_id = \'b\'', ["metric: attribute = 'a'"]],
    [
      "select 1 from app.metric m where m.attribute = 'a' union all select 2 from app.metric_hour m where m.attribute = 'b'",
      ["metric: attribute = 'a'", "metric_hour: attribute = 'b'"],
    ],
    ["select 1 from (select 1 from app.metric_minute where attribute = 'a') where attribute = 'b'", ["metric_minute: attribute = 'a'"]],
    [
      "select 1 from app.metric where device_id in (select device_id from app.metric_last where attribute = 'v' and value > 4) and channel_id = 'c'",
      ["metric: channel_id = 'c'", "metric_last: attribute = 'v'"],
    ],
    // The time is not in the key of the last readings: which version is the last one would depend on it.
    ["select 1 from app.metric_last where time > '2026-10-01 00:00:00' and channel_id = 'c'", ["metric_last: channel_id = 'c'"]],
    ["select 1 from app.metric_last where time > '2026-10-01 00:00:00'", []],
    ["select 1 from app.device where device_id = 'a'", []],
    ["select 1 from metric where attribute = 'a'", []],
    ["select 1 from app.metric final where attribute = 'a'", []],
    ["select 1 from app.metric as final where attribute = 'a'", []],
    ["select 1 from app.metric sample 1 where attribute = 'a'", []],
    ["select 1 from app.metric prewhere value > 1 where attribute = 'a'", []],
    ["select 1 from app.metric array join [1] as x where attribute = 'a'", []],
    ["select 1 from app.metric, app.device where attribute = 'a'", []],
    ["select 1 from app.metric any inner join app.device using device_id where attribute = 'a'", []],
    ["select 1 from app.metric having attribute = 'a'", []],
    ['select 1 from app.metric', []],
  ])('%s', (query, expected) => expect(inside(query)).toEqual(expected));

  test('the relation is replaced with its alias, or its own name as one; the text around it stays', () => {
    const replaced = (query: string) => pushDown(query, 'd', (relation) => relation.toUpperCase());
    expect(replaced("select\n metric.time from d.metric\nwhere kind = 's' and attribute = 'a'")).toBe(
      "select\n metric.time from (METRIC) as metric\nwhere kind = 's' and attribute = 'a'",
    );
    expect(
      replaced("select 1 from d.metric m where attribute = 'a' union all select 1 from d.`metric_last` as `x y` where attribute = 'b'"),
    ).toBe("select 1 from (METRIC) as m where attribute = 'a' union all select 1 from (METRIC_LAST) as `x y` where attribute = 'b'");
    expect(replaced('select 1 from d.metric')).toBeUndefined();
  });

  test('design 8.1: PREWHERE with the channels of the reader stays before the conditions', () => {
    const reach = { store: 's', channelPks: [7], zone: 'UTC' };
    for (const relation of ['metric', 'metric_minute', 'metric_hour', 'metric_last'])
      expect(readerViews(reach, ["attribute = 'a'"]).get(relation)).toMatch(
        /from s\.\w+ final prewhere channel_pk in \(-1, 7\) where is_deleted = 0 and attribute = 'a'/,
      );
  });
});

test('whatever zone a text is read in and however long a bucket is: a time that fits the condition fits the one inside', () => {
  const { below, pick } = sampler(7);
  const holds = {
    '<': (a: number, b: number) => a < b,
    '<=': (a: number, b: number) => a <= b,
    '>': (a: number, b: number) => a > b,
    '>=': (a: number, b: number) => a >= b,
    '=': (a: number, b: number) => a === b,
  };
  const signs = Object.keys(holds) as (keyof typeof holds)[];
  let fitting = 0;
  for (let round = 0; round < 20_000; round++) {
    const literal = Date.UTC(2026, 0, 1) / 1000 + below(86_400 * 365);
    const written = new Date(literal * 1000)
      .toISOString()
      .slice(0, 19)
      .replace('T', pick([' ', 'T']));
    const [sign, zone, bucket] = [pick(signs), (below(53) - 24) * 1800, pick([1, 60, 3600])];
    const meant = literal - zone;
    const time = meant + pick([0, 1, -1, bucket, below(200_000) - 100_000]);
    if (!holds[sign](Math.floor(time / bucket) * bucket, meant)) continue;
    fitting++;
    const [conditions = ''] = ofWhere(`time ${sign} '${written}'`);
    for (const condition of conditions.split(' and ')) {
      const [, way = '', text = '', widening = ''] = /^time ([<>]=) toDateTime\('(.*)', 'UTC'\) ([+-] \d+)$/.exec(condition) ?? [];
      const bound = Date.parse(`${text.replace(' ', 'T')}Z`) / 1000 + Number(widening.replace(' ', ''));
      expect(way === '>=' ? time >= bound : time <= bound, `${condition} at ${time}`).toBe(true);
    }
  }
  expect(fitting).toBeGreaterThan(5000);
});

test('long texts are read in linear time', () => {
  const start = Date.now();
  ofWhere(`time > now() ${'- 1 '.repeat(20_000)} x`);
  ofWhere(`device_id in (${Array.from({ length: 10_000 }, (_, n) => `'device-${n}'`).join(', ')})`);
  ofWhere(`${"attribute = 'a' and ".repeat(10_000)} value = 1`);
  inside(`${"select 1 from app.metric where attribute = 'a' union all ".repeat(5000)} select 1`);
  inside(`${"select 1 from app.metric where attribute = 'a' and value in (".repeat(5000)} select 1`);
  inside(`select ${'x '.repeat(50_000)} from app.metric where attribute = 'a'`);
  expect(Date.now() - start).toBeLessThan(5000);
});
