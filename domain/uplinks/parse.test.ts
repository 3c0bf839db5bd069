import { describe, expect, test } from 'vitest';
import { limits } from './limits.ts';
import { type Payload, parseUplink } from './parse.ts';

const receivedAt = Date.UTC(2026, 0, 1) * 1000 + 123_456;
const encoder = new TextEncoder();
const day = 86_400e6;
const payload = (given: string | number[], more: Partial<Payload> = {}): Payload => {
  const bytes = typeof given === 'string' ? encoder.encode(given) : Uint8Array.from(given);
  const text = typeof given === 'string' ? given : null;
  return { format: 'auto', fport: null, bytes, text, device_id: 'roof-1', receivedAt, oldest: receivedAt - 400 * day, ...more };
};
const read = (given: string | number[], more: Partial<Payload> = {}) => {
  const parsed = parseUplink(payload(given, more));
  if ('refusal' in parsed) throw new Error(`${parsed.refusal.code}: ${parsed.refusal.message}`);
  return parsed.uplink;
};
const codeOf = (given: string | number[], more: Partial<Payload> = {}) => {
  const parsed = parseUplink(payload(given, more));
  return 'refusal' in parsed ? parsed.refusal.code : 'accepted';
};
const values = (given: string | number[], more: Partial<Payload> = {}) =>
  Object.fromEntries(read(given, more).points.map(({ name, kind, value, text }) => [name, [kind, value ?? text]]));
const at = (iso: string) => Date.parse(iso) * 1000;

describe('iot-behaviour 1.5: formats', () => {
  test('a plain object', () => {
    expect(values('{"temperature":21.5,"door":true,"mode":"eco","none":null,"text":"12"}')).toEqual({
      temperature: ['n', 21.5],
      door: ['b', 1],
      mode: ['s', 'eco'],
      text: ['s', '12'],
    });
  });

  test('a timed record: ts, values, id and meta, and nothing else', () => {
    const uplink = read('{"ts":1767225600123,"values":{"temperature":21.5},"id":"a-1","meta":{"fw":1}}');
    expect(uplink).toMatchObject({ id: 'a-1', meta: { fw: 1 }, points: [{ name: 'temperature', at: at('2026-01-01T00:00:00.123Z') }] });
    expect(values('{"ts":1767225600,"values":{"t":1},"x":2}')).toEqual({ 'values.t': ['n', 1], x: ['n', 2] });
    expect(values('{"values":5}')).toEqual({ values: ['n', 5] });
  });

  test('a batch keeps the times of its entries, and the order of those without one', () => {
    const { points } = read('[{"ts":1767225600,"t":1.0},{"ts":1767225660,"t":1.1}]');
    expect(points.map(({ at: time, value }) => [time, value])).toEqual([
      [at('2026-01-01T00:00:00Z'), 1],
      [at('2026-01-01T00:01:00Z'), 1.1],
    ]);
    expect(read('[{"t":1},{"t":2}]').points.map(({ entry, at: time }) => [entry, time])).toEqual([
      [0, null],
      [1, null],
    ]);
  });

  test('nesting flattens by dots and indexes', () => {
    expect(values('{"ts":"2026-01-01T00:00:00Z","air":{"temperature":21.5,"pm":[3,7]}}')).toEqual({
      'air.temperature': ['n', 21.5],
      'air.pm.0': ['n', 3],
      'air.pm.1': ['n', 7],
    });
    expect(values('{"a":{"b":{"c":{"d":{"e":{"f":{"g":1}}}}}}}')).toEqual({ 'a.b.c.d.e.f': ['j', '{"g":1}'] });
    expect(values(`{"a":[${Array(33).fill(1).join()}]}`)).toEqual({ a: ['j', `[${Array(33).fill(1).join()}]`] });
    expect(values('{"a":{},"b":[]}')).toEqual({});
  });

  test.each([
    ['5', ['n', 5]],
    ['-1.5e3', ['n', -1500]],
    ['"on"', ['s', 'on']],
    ['true', ['b', 1]],
    [' \n false ', ['b', 0]],
  ])('the scalar %s is the attribute value', (text, value) => expect(values(text)).toEqual({ value }));

  test.each([
    ['', 'bad_json'],
    ['   ', 'bad_json'],
    ['{', 'bad_json'],
    ['{"a":NaN}', 'bad_json'],
    ['hello', 'bad_json'],
    ['null', 'bad_json'],
    ['[1,2]', 'bad_shape'],
    ['[]', 'bad_shape'],
    ['[{"a":1},2]', 'bad_shape'],
    ['{"id":{},"a":1}', 'bad_shape'],
    [`{"id":"${'x'.repeat(65)}"}`, 'bad_shape'],
    ['{"ts":"yesterday","a":1}', 'bad_time'],
    ['{"ts":true,"a":1}', 'bad_time'],
    ['{"ts":1e999,"a":1}', 'bad_time'],
    [`"${'x'.repeat(65_536)}"`, 'too_large'],
    [`[${Array(501).fill('{"a":1}').join()}]`, 'too_many_points'],
    [`{${Array.from({ length: 1001 }, (_, i) => `"a${i}":1`).join()}}`, 'too_many_points'],
  ])('%.40s is %s', (text, code) => expect(codeOf(text)).toBe(code));

  test('bytes that are no UTF-8 are no JSON; a byte order mark does not matter', () => {
    expect(codeOf([0x7b, 0xff, 0xfe, 0x7d])).toBe('bad_json');
    expect(values('\ufeff{"a":1}')).toEqual({ a: ['n', 1] });
  });

  test('a number that is not finite, a text that is too long or has U+0000: that point only', () => {
    const uplink = read(`{"a":1e999,"b":"${'ä'.repeat(2049)}","c":"x\\u0000","d":1}`);
    expect(uplink.points.map(({ name }) => name)).toEqual(['d']);
    expect(uplink.errors.map((error) => error.split(':')[0])).toEqual(['not_finite', 'too_large', 'bad_text']);
    expect(read(`{"b":"${'ä'.repeat(2048)}"}`).points).toHaveLength(1);
  });

  test('hostile JSON: deeper than any stack, names of prototypes, big integers', () => {
    const deep = `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)},"b":1}`;
    expect(read(deep).points.map(({ name }) => name)).toEqual(['b']);
    expect(values('{"__proto__":{"polluted":1},"constructor":2,"toString":3}')).toEqual({
      '__proto__.polluted': ['n', 1],
      constructor: ['n', 2],
      toString: ['n', 3],
    });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(read('{"a":9007199254740993}').warnings).toEqual(['precision']);
  });

  test('two paths of one name: the later wins, and the record says so', () => {
    const uplink = read('{"a b":1,"a_b":2,"a?b":3}');
    expect(uplink.points).toMatchObject([{ name: 'a_b', value: 3 }]);
    expect(uplink.warnings).toEqual(['name_collision']);
    expect(read('[{"ts":1767225600,"a":1},{"ts":1767225600,"a":2}]').points).toMatchObject([{ value: 2 }]);
  });

  test('a position is taken from a pair at the same level and within range', () => {
    expect(read('{"latitude":47.4,"longitude":8.5}').position).toEqual({ latitude: 47.4, longitude: 8.5 });
    expect(read('{"gps":{"lat":1,"lng":2}}').position).toEqual({ latitude: 1, longitude: 2 });
    expect(read('{"lat":91,"lon":0}').position).toBeNull();
    expect(read('{"lat":1,"a":{"lon":2}}').position).toBeNull();
  });

  test('raw bytes are kept for a decoder', () => {
    expect(read([1, 2, 255], { format: 'raw', fport: 7 })).toMatchObject({ encoding: 'raw', fport: 7, points: [] });
  });
});

describe('iot-behaviour 1.5: time', () => {
  test.each([
    [1_767_225_600, '2026-01-01T00:00:00Z'],
    [1_767_225_600_500, '2026-01-01T00:00:00.5Z'],
    [1_767_225_600_500_000, '2026-01-01T00:00:00.5Z'],
    [1_767_225_600_500_000_000, '2026-01-01T00:00:00.5Z'],
    ['"2026-01-01T01:00:00+01:00"', '2026-01-01T00:00:00Z'],
    ['"2025-12-31t23:59:59.25z"', '2025-12-31T23:59:59.25Z'],
  ])('ts %s', (ts, time) => expect(read(`{"ts":${ts},"a":1}`).points[0]?.at).toBe(at(time)));

  test('microseconds of a text are kept', () => {
    expect(read('{"ts":"2026-01-01T00:00:00.000123Z","a":1}').points[0]?.at).toBe(at('2026-01-01T00:00:00Z') + 123);
  });

  test.each(['"2100-01-01T00:00:00Z"', '0', '12', '"1970-01-01T00:00:00Z"'])('a clock that says %s is put right', (ts) => {
    const uplink = read(`{"ts":${ts},"a":1}`);
    expect(uplink.points[0]?.at).toBe(receivedAt);
    expect(uplink.warnings).toEqual(['clock_shifted']);
  });

  test('the spacing of a shifted message stays', () => {
    const { points } = read('[{"ts":60,"a":1},{"ts":120,"a":2}]');
    expect(points.map(({ at: time }) => (time ?? 0) - receivedAt)).toEqual([-60e6, 0]);
  });

  test('design 9: times before the oldest kept data are bad_time', () => {
    expect(codeOf('{"ts":"2016-01-01T00:00:00Z","a":1}')).toBe('bad_time');
    const uplink = read('[{"ts":"2016-01-01T00:00:00Z","a":1},{"ts":"2025-12-31T00:00:00Z","a":1}]');
    expect([uplink.points.length, uplink.errors]).toEqual([1, ['bad_time: 1 readings are older than what is kept']]);
  });
});

describe('iot-behaviour 1.5: SenML', () => {
  test('base name, base time, units', () => {
    const { encoding, points } = read(
      '[{"bn":"roof-1:","bt":1767225600,"n":"t","u":"Cel","v":21.5},{"n":"h","u":"%RH","v":44,"t":-5},{"n":"on","vb":true}]',
    );
    expect(encoding).toBe('senml');
    expect(points.map(({ name, value, unit, at: time }) => [name, value, unit, time])).toEqual([
      ['t', 21.5, 'Cel', at('2026-01-01T00:00:00Z')],
      ['h', 44, '%RH', at('2025-12-31T23:59:55Z')],
      ['on', 1, null, at('2026-01-01T00:00:00Z')],
    ]);
  });

  test('base value and base sum are added; times below 2^28 count from now', () => {
    const { points } = read('[{"bn":"x","bv":10,"bs":100,"v":1,"t":-60},{"n":"e","s":5}]');
    expect(points.map(({ name, value, at: time }) => [name, value, time])).toEqual([
      ['x', 11, receivedAt - 60e6],
      ['xe', 105, null],
    ]);
  });

  test('urn:dev names lose their owner', () => {
    expect(values('[{"bn":"urn:dev:mac:0024befffe804ff1:","n":"t","v":1},{"bn":"urn:dev:ow:10e2:","n":"h","v":2}]')).toEqual({
      t: ['n', 1],
      h: ['n', 2],
    });
  });

  test('one bad record rejects only itself; a newer version rejects all', () => {
    const uplink = read('[{"n":"a","v":1},{"n":"b"},{"n":"c","v":"x"},{"n":"d","v":1,"must_":2}]');
    expect(uplink.points.map(({ name }) => name)).toEqual(['a']);
    expect(uplink.errors.map((error) => error.split(':')[0])).toEqual(['senml_no_value', 'senml_no_value', 'senml_unknown_label']);
    expect(codeOf('[{"bver":11,"n":"a","v":1}]')).toBe('senml_version');
    expect(codeOf('{"n":"a","v":1}', { format: 'senml' })).toBe('bad_shape');
  });
});

describe('iot-behaviour 1.5: Cayenne LPP', () => {
  test.each([
    [[3, 103, 0x01, 0x10, 5, 103, 0x00, 0xff], { temperature_3: ['n', 27.2], temperature_5: ['n', 25.5] }],
    [[1, 103, 0xff, 0xd7], { temperature_1: ['n', -4.1] }],
    [
      [6, 113, 0x04, 0xd2, 0xfb, 0x2e, 0, 0],
      { 'accelerometer_6.x': ['n', 1.234], 'accelerometer_6.y': ['n', -1.234], 'accelerometer_6.z': ['n', 0] },
    ],
    [[2, 104, 89], { relative_humidity_2: ['n', 44.5] }],
    [[0, 131, 0, 0, 4, 210], { energy_0: ['n', 1.234] }],
  ])('%j', (bytes, expected) => expect(values(bytes, { format: 'lpp' })).toEqual(expected));

  test('gps also says where the device is', () => {
    const uplink = read([1, 136, 0x06, 0x76, 0x5f, 0xf2, 0x96, 0x0a, 0x00, 0x03, 0xe8], { format: 'lpp' });
    expect(uplink.points.map(({ name, value }) => [name, value])).toEqual([
      ['gps_1.latitude', 42.3519],
      ['gps_1.longitude', -87.9094],
      ['gps_1.altitude', 10],
    ]);
    expect(uplink.position).toEqual({ latitude: 42.3519, longitude: -87.9094 });
  });

  test('an unknown type ends the reading, half a value is no value', () => {
    expect(read([1, 0, 1, 2, 77, 5], { format: 'lpp' })).toMatchObject({
      warnings: ['lpp_unknown_type'],
      points: [{ name: 'digital_in_1' }],
    });
    expect(codeOf([1, 103, 1], { format: 'lpp' })).toBe('bad_shape');
    expect(codeOf([1], { format: 'lpp' })).toBe('bad_shape');
  });
});

test('whatever comes in, there is an answer within the limits', () => {
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const alphabet = '{}[]",:0123456789.eE-+tfnrul \\uabsvnd_';
  for (let turn = 0; turn < 3000; turn++) {
    const text = Array.from({ length: random(60) }, () => alphabet[random(alphabet.length)]).join('');
    for (const format of ['auto', 'senml', 'lpp'] as const) {
      const parsed = parseUplink(payload(text, { format }));
      if ('uplink' in parsed) expect(parsed.uplink.points.length).toBeLessThanOrEqual(limits.points);
      else expect(parsed.refusal.message).not.toBe('');
    }
  }
});
