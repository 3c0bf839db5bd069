import { describe, expect, test } from 'vitest';
import { substitute } from '../parameters/substitute.ts';
import { splitStatements } from '../sql/statements.ts';
import { canBeQueried, DeviceSelection, deviceQueryText, timerange, withTimerange } from './device-query.ts';

const clock = { now: new Date('2026-05-04T10:00:00Z'), timeZone: 'UTC', undeclared: 'refuse' as const };
const number = (name: string) => ({ name, isText: false });

describe('Q7: the text of a device query', () => {
  test('one device: time and a column for each attribute', () => {
    expect(
      deviceQueryText({
        channel_id: 'field',
        device_ids: ['a-1'],
        attributes: [number('air.temperature'), { name: 'state', isText: true }],
      }),
    ).toBe(`select time,
  max(value) filter (where attribute = 'air.temperature') as "air.temperature",
  max(value_text) filter (where attribute = 'state') as "state"
from app.metric
where channel_id = 'field'
  and device_id in ('a-1')
  and attribute in ('air.temperature', 'state')
  and time >= '{{ timerange.start }}'
  and time < timestamptz '{{ timerange.end }}' + interval '1 minute'
group by time
order by time`);
  });

  test('several devices: each row says whose it is', () => {
    const text = deviceQueryText({ channel_id: 'c', device_ids: ['a', 'b'], attributes: [number('x')] });
    expect(text).toContain('select time,\n  device_id,\n');
    expect(text).toContain("device_id in ('a', 'b')");
    expect(text).toContain('group by time, device_id');
  });

  test('an attribute named like one of our columns keeps out of its way', () => {
    expect(deviceQueryText({ channel_id: 'c', device_ids: ['a'], attributes: [number('time'), number('device_id')] })).toMatch(
      /as "attr_time",\n.*as "device_id"/,
    );
  });

  test('today, as text that runs', () => {
    const text = deviceQueryText({ channel_id: 'c', device_ids: ['a'], attributes: [number('x')] });
    const { parameters } = withTimerange({ parameters: [] });
    const values = { timerange: timerange.value };
    expect(substitute(text, 'postgres', parameters, values, clock)).toEqual({
      sql: text.replace('{{ timerange.start }}', '2026-05-04 00:00').replace('{{ timerange.end }}', '2026-05-04 23:59'),
    });
  });

  test.each(["o'brien", '"; drop table x; --', "\\'", "a' or '1'='1", '/*', '--', '$$', '\u02bc', 'a\nb'])(
    'security 4: the name %j stays a name',
    (name) => {
      const text = deviceQueryText({ channel_id: name, device_ids: [name], attributes: [number(name)] });
      expect(splitStatements(text, 'postgres')).toHaveLength(1);
      expect(substitute(text, 'postgres', [timerange], { timerange: 'd_today' }, clock)).toHaveProperty('sql');
    },
  );

  test('a name with braces would be a parameter, so it cannot be asked for', () => {
    expect([canBeQueried('a'), canBeQueried('{a}'), canBeQueried('{{ a }}'), canBeQueried('a}}')]).toEqual([true, true, false, false]);
  });
});

test('a time range that is there keeps its value', () => {
  const mine = { parameters: [{ ...timerange, value: 'd_last_7_days' }], apply_auto_limit: true };
  expect(withTimerange(mine)).toEqual(mine);
  expect(withTimerange({ parameters: [{ name: 'x' }], apply_auto_limit: true })).toEqual({
    parameters: [{ name: 'x' }, timerange],
    apply_auto_limit: true,
  });
});

describe('Q5: all of it is needed', () => {
  const whole = { channel_id: 'c', device_ids: ['d'], attributes: ['a'] };
  test.each([
    { ...whole, channel_id: '' },
    { ...whole, channel_id: undefined },
    { ...whole, device_ids: [] },
    { ...whole, device_ids: [''] },
    { ...whole, attributes: null },
    { ...whole, attributes: [' '] },
  ])('%j', (given) => {
    const { success, error } = DeviceSelection.safeParse(given);
    expect(success).toBe(false);
    expect(error?.issues[0]?.message).toBe('Fill All the values to continue');
  });

  test('one device is as good as a list of one, and each counts once', () => {
    expect(DeviceSelection.parse({ ...whole, device_ids: 'd', attributes: ['a', 'a', ' b '] })).toEqual({
      channel_id: 'c',
      device_ids: ['d'],
      attributes: ['a', 'b'],
    });
  });
});

test('Q3: the same query for readings in ClickHouse, whose times have seconds', () => {
  const text = deviceQueryText(
    { channel_id: "o'hara", device_ids: ['a', 'b'], attributes: [{ name: 'air.t', isText: false }] },
    'clickhouse',
  );
  expect(text).toBe(`select time,
  device_id,
  max(if(attribute = 'air.t', value, null)) as "air.t"
from app.metric
where channel_id = 'o''hara'
  and device_id in ('a', 'b')
  and attribute in ('air.t')
  and time >= '{{ timerange.start }}:00'
  and time - interval 1 minute < '{{ timerange.end }}:00'
group by time, device_id
order by time, device_id`);
});
