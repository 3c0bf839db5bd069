import { decoderLimits } from '@telltale/domain/decoders/limits.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { uplinkInput } from '../call-input.ts';
import { type Answer, readAnswer } from './answer.ts';
import { DecoderPool } from './pool.ts';

const pool = new DecoderPool({ threads: 1 });
afterAll(() => pool.stop());

const device = { channel_id: 'weather', device_id: 'roof-1', dev_eui: null };
const inputOf = (bytes: number[], fport = 1) =>
  uplinkInput({ bytes: Uint8Array.from(bytes), fport, receivedAtMs: Date.UTC(2026, 0, 1), device });
let count = 0;
const run = async (script: string, bytes: number[] = [1, 2, 3], key = `script-${++count}`): Promise<Answer> =>
  readAnswer(await pool.run(key, script, { command: 'decodeUplink', input: inputOf(bytes), withLog: true }));
const body = (text: string, bytes?: number[]) => run(`function decodeUplink(input) { ${text} }`, bytes);
const encode = async (script: string, data: unknown, command: 'encodeDownlink' | 'decodeDownlink' = 'encodeDownlink') =>
  readAnswer(await pool.run(`script-${++count}`, script, { command, input: JSON.stringify(data), withLog: false }));

describe('iot-behaviour 4.1: functions', () => {
  test('decodeUplink gets bytes, fPort, recvTime as a Date, variables and the device', async () => {
    const { data } = await body('return { data: { ...input, isDate: input.recvTime instanceof Date, keys: Object.keys(input) } }');
    expect(data).toEqual({
      bytes: [1, 2, 3],
      fPort: 1,
      recvTime: '2026-01-01T00:00:00.000Z',
      variables: {},
      device,
      isDate: true,
      keys: ['bytes', 'fPort', 'recvTime', 'variables', 'device'],
    });
  });

  test.each([
    ['Decoder(bytes, port)', 'function Decoder(bytes, port) { return { n: bytes.length, port } }'],
    ['Decode(fPort, bytes, variables)', 'function Decode(fPort, bytes, variables) { return { n: bytes.length, port: fPort } }'],
    ['an arrow function', 'const decodeUplink = (i) => ({ data: { n: i.bytes.length, port: i.fPort } })'],
    ['module.exports', 'module.exports = { decodeUplink: (i) => ({ data: { n: i.bytes.length, port: i.fPort } }) }'],
    ['exports', 'exports.decodeUplink = function (i) { return { data: { n: i.bytes.length, port: i.fPort } } }'],
  ])('%s is found', async (_, script) => {
    expect((await run(script)).data).toEqual({ n: 3, port: 1 });
  });

  test('the modern function wins over a legacy one', async () => {
    const script = 'function Decoder() { return { which: "old" } } function decodeUplink() { return { data: { which: "new" } } }';
    expect((await run(script)).data).toEqual({ which: 'new' });
  });

  test.each([
    ['function encodeDownlink(i) { return { bytes: [i.data.on ? 1 : 0, 300, -1], fPort: 15 } }', [1, 44, 255], 15],
    ['function encodeDownlink(i) { return { bytes: Uint8Array.from([i.fPort]) } }', [7], null],
    ['function encodeDownlink(i) { return { bytes: Buffer.from("0aff", "hex") } }', [10, 255], null],
    ['function Encoder(object, port) { return [object.on ? 1 : 0, port] }', [1, 7], null],
    ['function Encode(fPort, object) { return [fPort] }', [7], null],
  ])('encoders: %s', async (script, bytes, fPort) => {
    expect(await encode(script, { data: { on: true }, fPort: 7, variables: {} })).toMatchObject({ bytes, fPort, errors: [] });
  });

  test.each([
    ['function encodeDownlink() { return { errors: ["no such valve"] } }', 'decoder_error: no such valve'],
    ['function encodeDownlink() { return {} }', 'decoder_no_data: encodeDownlink returned no bytes.'],
    ['function encodeDownlink() { return { bytes: ["x"] } }', 'decoder_error: encodeDownlink returned bytes that are no numbers.'],
    ['function decodeUplink() {}', 'decoder_missing: The script has no function encodeDownlink.'],
  ])('encoders that fail: %s', async (script, error) => {
    expect((await encode(script, { data: {}, fPort: 7 })).errors).toEqual([error]);
  });

  test('decodeDownlink shows queued bytes', async () => {
    const script = 'function decodeDownlink(i) { return { data: { on: i.bytes[0] === 1, port: i.fPort } } }';
    expect((await encode(script, { bytes: [1], fPort: 9 }, 'decodeDownlink')).data).toEqual({ on: true, port: 9 });
  });

  test('Buffer reads what published codecs read', async () => {
    const { data } = await body(
      `const b = Buffer.from(input.bytes);
       return { data: { u8: b.readUInt8(0), i8: b.readInt8(1), u16: b.readUInt16BE(0), u16l: b.readUint16LE(0), i32: b.readInt32BE(0),
         u32: b.readUInt32LE(2), f: b.readFloatBE(4), d: Buffer.from('400921fb54442d18', 'hex').readDoubleBE(0), u24: b.readUIntBE(0, 3), i24: b.readIntLE(1, 3),
         hex: b.toString('hex'), base64: b.toString('base64'), text: Buffer.from('aMOpIPCfjYw=', 'base64').toString(),
         back: Buffer.from('hé 🌌').toString('hex'), part: b.slice(1, 3).toString('hex'), is: Buffer.isBuffer(b), n: b.length } }`,
      [1, 0xff, 2, 3, 0x3f, 0xc0, 0, 0],
    );
    const node = Buffer.from([1, 0xff, 2, 3, 0x3f, 0xc0, 0, 0]);
    expect(data).toEqual({
      u8: 1,
      i8: -1,
      u16: node.readUInt16BE(0),
      u16l: node.readUInt16LE(0),
      i32: node.readInt32BE(0),
      u32: node.readUInt32LE(2),
      f: 1.5,
      d: Math.PI,
      u24: node.readUIntBE(0, 3),
      i24: node.readIntLE(1, 3),
      hex: node.toString('hex'),
      base64: node.toString('base64'),
      text: 'hé 🍌',
      back: Buffer.from('hé 🌌').toString('hex'),
      part: 'ff02',
      is: true,
      n: 8,
    });
  });
});

describe('iot-behaviour 4.2: results', () => {
  test.each([
    ['', 'decoder_no_data: decodeUplink returned no object.'],
    ['return 5', 'decoder_no_data: decodeUplink returned no object.'],
    ['return {}', 'decoder_no_data: decodeUplink returned no data.'],
    ['return { data: {} }', 'decoder_no_data: decodeUplink returned no data.'],
    ['return { data: [] }', 'decoder_no_data: decodeUplink returned no data.'],
    ['return { data: [1, 2] }', 'decoder_no_data: decodeUplink returned a list of something else than objects.'],
    ['return { data: { a: 1 }, errors: ["broken sensor"] }', 'decoder_error: broken sensor'],
    ['return { errors: "broken" }', 'decoder_error: broken'],
    ['throw new Error("bad length")', 'decoder_error: Error: bad length (line 1)'],
    ['throw "just text"', 'decoder_error: just text'],
    ['throw null', 'decoder_error: null'],
    ['return nothing.at.all', "decoder_error: ReferenceError: 'nothing' is not defined (line 1)"],
    ['const a = {}; a.a = a; return { data: a }', 'decoder_error: TypeError: circular reference'],
    ['return Promise.resolve({ data: { a: 1 } })', 'decoder_error: decodeUplink returned a promise. Decoders answer at once.'],
  ])('%j fails with %s', async (text, error) => {
    expect(await body(text)).toMatchObject({ data: null, errors: [error] });
  });

  test('what JSON has no word for is skipped with a warning, dates become text, big integers numbers or text', async () => {
    const answer = await body(
      'return { data: { n: NaN, i: -Infinity, u: undefined, f() {}, at: new Date(0), bad: new Date(NaN), small: 7n, big: 2n ** 64n, list: [1, NaN], ok: 1 } }',
    );
    expect(answer.data).toEqual({ at: '1970-01-01T00:00:00.000Z', small: 7, big: '18446744073709551616', list: [1, null], ok: 1 });
    expect(answer.warnings).toEqual([
      'skipped: n is NaN',
      'skipped: i is -Infinity',
      'skipped: u is undefined',
      'skipped: f is a function',
      'skipped: bad is an invalid date',
      'skipped: [1] is NaN',
    ]);
  });

  test('at most 10 warnings of 200 characters, and 20 lines of log', async () => {
    const answer = await body(
      'for (let i = 0; i < 30; i++) console.log("line", i, { i }); return { data: { a: 1 }, warnings: Array.from({ length: 30 }, () => "w".repeat(500)) }',
    );
    expect(answer.warnings).toHaveLength(10);
    expect(answer.warnings[0]).toHaveLength(200);
    expect(answer.log).toHaveLength(20);
    expect(answer.log[3]).toBe('line 3 {"i":3}');
  });

  test('a syntax error names its line', async () => {
    expect((await run('function decodeUplink(input) {\n  return { data: }\n}')).fault).toMatchObject({ code: 'decoder_error', line: 2 });
  });
});

describe('iot-behaviour 4.3 and security 11: hostile scripts', () => {
  const isTimeout = { errors: [expect.stringMatching(/^decoder_timeout: The decoder took longer than (50|250) ms\.$/)] };

  test.each([
    ['an endless loop', 'while (true);'],
    ['a catastrophic pattern', '/^(a+)+$/.test("a".repeat(40) + "b"); return { data: { a: 1 } }'],
    ['searching a long text for ever', 'const s = "abc".repeat(1000000); for (;;) s.indexOf("zz");'],
    ['sorting', 'for (;;) Array.from({ length: 100000 }, (_, i) => -i).sort();'],
    ['catching whatever stops it', 'for (;;) { try { for (;;); } catch {} }'],
    ['a getter that never ends', 'return { get data() { for (;;); } }'],
    ['toJSON that never ends', 'return { data: { a: { toJSON() { for (;;); } } } }'],
    ['an error whose text never ends', 'throw { get message() { for (;;); } }'],
  ])('%s is stopped', async (_, text) => {
    expect(await body(text)).toMatchObject(isTimeout);
  });

  test('a script that never ends while it is read', async () => {
    expect(await run('for (;;); function decodeUplink() {}')).toMatchObject(isTimeout);
  });

  test.each([
    [
      'a text of a gigabyte',
      'return { data: { a: "x".repeat(1 << 29) } }',
      /out of memory|string too long|invalid string length|invalid repeat/i,
    ],
    ['doubling a text', 'let s = "x"; for (;;) s += s;', /out of memory|string too long/],
    ['deep recursion', 'const f = (n) => f(n + 1) + 1; return { data: { a: f(0) } }', /stack overflow/],
    ['deeply nested JSON', 'return { data: { a: JSON.parse("[".repeat(100000)) } }', /stack overflow/],
    ['output of a megabyte', 'return { data: { a: "x".repeat(1000000) } }', /The output has more than 64 KiB/],
  ])('%s fails by itself', async (_, text, message) => {
    expect((await body(text)).errors.join()).toMatch(message);
  });

  test('memory is bounded', async () => {
    const answer = await body('const a = []; for (;;) a.push(new Uint8Array(1 << 20));');
    expect(answer.errors.join()).toMatch(/out of memory|decoder_timeout/);
  });

  test('a promise chain without an end does nothing', async () => {
    expect((await body('(async () => { for (;;) await 0; })(); return { data: { a: 1 } }')).data).toEqual({ a: 1 });
  });

  test.each([
    [
      'globals',
      'var n = 0; function decodeUplink() { n++; m = (typeof m === "undefined" ? 0 : m) + 1; return { data: { n, m } } }',
      { n: 1, m: 1 },
    ],
    [
      'let and closures',
      'let n = 0; const next = (() => { let m = 0; return () => ++m; })(); function decodeUplink() { return { data: { n: ++n, m: next() } } }',
      { n: 1, m: 1 },
    ],
    [
      'properties of functions',
      'function decodeUplink() { decodeUplink.n = (decodeUplink.n || 0) + 1; return { data: { n: decodeUplink.n } } }',
      { n: 1 },
    ],
    [
      'prototypes',
      'function decodeUplink() { const a = [].leak; Array.prototype.leak = "leaked"; return { data: { a: String(a) } } }',
      { a: 'undefined' },
    ],
  ])('nothing is kept between calls: %s', async (name, script, expected) => {
    for (let i = 0; i < 3; i++) expect((await run(script, [i], `kept-${name}`)).data).toEqual(expected);
  });

  test('polluted prototypes and replaced functions harm neither the next script nor this process', async () => {
    const hostile = `Object.prototype.polluted = 1; JSON.stringify = JSON.parse = Array.isArray = () => { throw 1 };
      Array.prototype.toJSON = () => "x"; function decodeUplink(i) { Object.prototype.toString = null; return { data: { a: i.bytes.length } } }`;
    expect((await run(hostile)).errors).toEqual([]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect((await body('return { data: { polluted: String({}.polluted), text: String({}) } }')).data).toEqual({
      polluted: 'undefined',
      text: '[object Object]',
    });
  });

  test('there is no way out: no host object, no timer, no network, no module', async () => {
    const { data } = await body(`
      const global = this?.constructor?.constructor?.("return globalThis")() ?? globalThis;
      const names = ["process", "require", "fetch", "setTimeout", "setInterval", "setImmediate", "WebAssembly", "Worker", "XMLHttpRequest", "std", "os", "SharedArrayBuffer", "postMessage", "performance", "navigator", "Deno", "Bun"];
      const escapes = ["return typeof process", "return this.process", "return import.meta"].map((text) => {
        try { return String(Function(text)()) } catch (error) { return error.name }
      });
      return { data: { found: names.filter((name) => name in global).join(), escapes: escapes.join(), eval: eval("1 + 1") } }`);
    expect(data).toEqual({
      found: expect.stringMatching(/^(SharedArrayBuffer|performance|,)*$/),
      escapes: 'undefined,undefined,SyntaxError',
      eval: 2,
    });
    const loading = await run('function decodeUplink() { import("node:fs").then(() => { leaked = 1 }); return { data: { a: 1 } } }');
    expect(loading.data).toEqual({ a: 1 });
    expect((await run('import fs from "node:fs"; function decodeUplink() {}')).fault?.code).toBe('decoder_error');
  });

  test('a script of 64 KiB runs', async () => {
    const script = `function decodeUplink(i) { return { data: { n: table.length } } }\nconst table = [${'1234567,'.repeat(8180)}];`;
    expect(Buffer.byteLength(script)).toBeLessThanOrEqual(decoderLimits.scriptBytes);
    expect((await run(script)).data).toEqual({ n: 8180 });
  });

  test('while one never ends, a script that has proved itself goes on', async () => {
    const good = 'function decodeUplink(i) { return { data: { a: i.bytes[0] } } }';
    for (let i = 0; i < 25; i++) await run(good, [i], 'proven');
    const loops = Array.from({ length: 10 }, () => run('function decodeUplink() { for (;;); }', [1], 'endless'));
    const order: string[] = [];
    void loops[3]?.then(() => order.push('endless'));
    for (let i = 0; i < 20; i++) {
      expect((await run(good, [i], 'proven')).data).toEqual({ a: i });
      order.push('good');
    }
    expect(order.indexOf('endless')).toBeOneOf([-1, order.length - 1]);
    for (const { errors } of await Promise.all(loops)) expect(errors[0]).toMatch(/^decoder_timeout/);
  });

  test('the queue holds 5,000, and one slow script only a part of it', async () => {
    const calls = Array.from({ length: 1100 }, () => run('function decodeUplink() { for (;;); }', [1], 'flood'));
    const busy = calls.slice(1000);
    for (const answer of await Promise.all(busy))
      expect(answer.errors).toEqual(['decoder_busy: Too many messages wait for their decoder.']);
    expect((await body('return { data: { a: 1 } }')).data).toEqual({ a: 1 });
    pool.drop('flood', { fault: { code: 'decoder_timeout', message: 'dropped' }, ms: 0 });
    await Promise.all(calls);
  });

  test('many slow scripts together leave room for those that have proved themselves', async () => {
    const own = new DecoderPool({ threads: 1 });
    const call = (key: string, script: string) => own.run(key, script, { command: 'decodeUplink', input: inputOf([1]), withLog: false });
    const good = 'function decodeUplink() { return { data: { ok: 1 } } }';
    for (let n = 0; n < 40; n++) await call('good', good);
    const hostile = Array.from({ length: 8 * 1000 }, (_, n) => call(`hostile-${n % 8}`, 'function decodeUplink() { for (;;) {} }'));
    const answers = await Promise.all(Array.from({ length: 100 }, () => call('good', good)));
    expect(answers.filter((answer) => 'fault' in answer)).toEqual([]);
    await own.stop();
    const refused = (await Promise.all(hostile)).filter((answer) => 'fault' in answer && answer.fault.message.startsWith('Too many'));
    expect(refused.length).toBe(8 * 1000 - decoderLimits.queue / 2);
  });
});
