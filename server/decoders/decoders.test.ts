import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { decodersApi } from '@telltale/domain/decoders/contract.ts';
import { decoderLimits } from '@telltale/domain/decoders/limits.ts';
import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const person = await app.make.user();
const client = app.as(person);
const viewer = app.as(await app.make.user({ groups: [], group_ids: [(await app.make.group({ permissions: ['view_channel'] })).id] }));
const outsider = app.as(await app.make.user({ groups: [], group_ids: [(await app.make.group({ permissions: ['view_query'] })).id] }));
let count = 0;
const aChannel = async () => {
  const id = `decoded-${++count}`;
  await client.get(channelsApi.create, { body: { channel_id: id } });
  return { id };
};
const script =
  'function decodeUplink(input) { console.log("n", input.bytes.length); return { data: { temperature: input.bytes[0] / 2, port: input.fPort } } }';
const save = (params: { id: string }, body: Record<string, unknown>, who = client) =>
  who.call(decodersApi.save, { params, body: body as never });

describe('design 8.1: the decoder of a channel', () => {
  test('a channel has none until one is saved; every version is kept', async () => {
    const params = await aChannel();
    expect(await client.get(decodersApi.get, { params })).toEqual({
      script: '',
      examples: [],
      version: 0,
      paused_until: null,
      updated_at: null,
      updated_by: null,
    });
    const examples = [{ name: 'warm', bytes: '2a', f_port: 2, expected: { temperature: 21, port: 2 } }];
    expect((await save(params, { script, examples })).body).toMatchObject({
      script,
      examples,
      version: 1,
      paused_until: null,
      updated_by: person.name,
    });
    expect((await save(params, { script: `${script} // 2`, examples: [], version: 1 })).body).toMatchObject({ version: 2, examples: [] });
    expect((await viewer.get(decodersApi.versions, { params })).map(({ version }) => version)).toEqual([2, 1]);
    expect(await viewer.get(decodersApi.version, { params: { ...params, version: 1 } })).toMatchObject({ script, examples });
    expect((await client.call(decodersApi.version, { params: { ...params, version: 9 } })).status).toBe(404);
  });

  test('saving over a newer version is a conflict', async () => {
    const params = await aChannel();
    await save(params, { script });
    expect(await save(params, { script, version: 0 })).toMatchObject({
      status: 409,
      message: 'Somebody saved version 1 of this decoder meanwhile.',
    });
    const both = await Promise.all([save(params, { script, version: 1 }), save(params, { script, version: 1 })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('an empty script removes it', async () => {
    const params = await aChannel();
    await save(params, { script });
    expect((await save(params, { script: ' \n' })).body).toMatchObject({ version: 2 });
    const reply = await client.call(decodersApi.test, { params, body: { bytes: '01', f_port: 1 } });
    expect(reply).toMatchObject({ status: 400, message: 'The channel has no decoder.' });
  });

  test('view_channel reads and tries the saved script, manage_channel writes and runs unsaved ones', async () => {
    const params = await aChannel();
    await save(params, { script });
    const bytes = { bytes: '2a', f_port: 1 };
    const asked = async (who: typeof client) => [
      (await who.call(decodersApi.get, { params })).status,
      (await who.call(decodersApi.versions, { params })).status,
      (await who.call(decodersApi.test, { params, body: bytes })).status,
      (await who.call(decodersApi.test, { params, body: { ...bytes, script } })).status,
      (await who.call(decodersApi.recent, { params, body: {} })).status,
      (await who.call(decodersApi.recent, { params, body: { script } })).status,
      (await save(params, { script }, who)).status,
      (await who.call(decodersApi.rerun, { params, body: { days: 1, preview: true } })).status,
      (await who.call(decodersApi.cancelRerun, { params })).status,
    ];
    expect(await asked(client)).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 200]);
    expect(await asked(viewer)).toEqual([200, 200, 200, 403, 200, 403, 403, 403, 403]);
    expect(await asked(outsider)).toEqual([403, 403, 403, 403, 403, 403, 403, 403, 403]);
    expect((await client.call(decodersApi.get, { params: { id: 'nowhere' } })).status).toBe(404);
  });

  test.each([
    [{}, 'The script is required.'],
    [{ script: 7 }, 'The script is required.'],
    [{ script: 'x'.repeat(decoderLimits.scriptBytes + 1) }, 'A script has at most 65,536 bytes.'],
    [{ script: 'é'.repeat(decoderLimits.scriptBytes / 2 + 1) }, 'A script has at most 65,536 bytes.'],
    [{ script: 'function decodeUplink() {\n  return {\n}' }, /^The script cannot be used: SyntaxError: .* \(line \d+, column \d+\)$/],
    [{ script: 'const a = 1;' }, 'The script cannot be used: It has no function decodeUplink or encodeDownlink.'],
    [{ script: 'for (;;);' }, /^The script cannot be used: The decoder took longer than/],
    [{ script, examples: [{ name: '', bytes: '01' }] }, /An example needs a name/],
    [{ script, examples: [{ name: 'a', bytes: 'xyz!' }] }, /bytes must be hex or base64/],
    [{ script, examples: [{ name: 'a', bytes: '01', f_port: 224 }] }, /f_port must be between 1 and 223/],
    [{ script, examples: Array.from({ length: 51 }, () => ({ name: 'a', bytes: '01' })) }, 'At most 50 examples.'],
    [{ script, examples: 'no' }, /examples/],
    [{ script: 'a\0b' }, /U\+0000|cannot be stored|NUL/i],
  ])('%# is refused with a reason', async (body, message) => {
    expect(await save(await aChannel(), body)).toMatchObject({ status: 400, message: expect.stringMatching(message) });
  });

  test('a failing example blocks the save unless overridden', async () => {
    const params = await aChannel();
    const examples = [
      { name: 'right', bytes: 'hex:2A', f_port: 1, expected: { port: 1, temperature: 21 } },
      { name: 'wrong', bytes: 'base64:Kg==', f_port: 1, expected: { port: 1, temperature: 99 } },
    ];
    const refused = await save(params, { script, examples });
    expect(refused).toMatchObject({ status: 400, message: 'The example “wrong” does not give what is expected.' });
    expect(refused.body).toMatchObject({ examples: [{ name: 'wrong', is_ok: false, data: { temperature: 21, port: 1 }, errors: [] }] });
    expect((await client.get(decodersApi.get, { params })).version).toBe(0);
    expect((await save(params, { script, examples, override: true })).body.version).toBe(1);
    expect(await client.get(decodersApi.versions, { params })).toMatchObject([{ version: 1, is_overridden: true }]);
    const throwing = 'function decodeUplink() { throw new Error("no") }';
    expect((await save(params, { script: throwing, examples: [{ name: 'any', bytes: '01' }] })).status).toBe(400);
  });
});

describe('design 8.1: trying a decoder', () => {
  test('data, warnings, errors, log and ms', async () => {
    const params = await aChannel();
    await save(params, { script });
    const tried = async (body: Record<string, unknown>) => (await client.call(decodersApi.test, { params, body: body as never })).body;
    expect(await tried({ bytes: '2a ff', f_port: 3 })).toMatchObject({
      data: { temperature: 21, port: 3 },
      warnings: [],
      errors: [],
      log: ['n 2'],
      ms: expect.any(Number),
    });
    expect(await tried({ bytes: 'Kv8=', f_port: 3 })).toMatchObject({ data: { temperature: 21, port: 3 } });
    expect(
      await tried({ bytes: '', f_port: 1, script: 'function decodeUplink(i) { return { data: { n: i.bytes.length } } }' }),
    ).toMatchObject({
      data: { n: 0 },
    });
    expect(await tried({ bytes: '01', f_port: 1, script: 'function decodeUplink() {\n\n  nope() }' })).toMatchObject({
      data: null,
      errors: [expect.stringMatching(/^decoder_error: ReferenceError/)],
      error_line: 3,
    });
    expect(await tried({ bytes: '01', f_port: 1, script: 'function decodeUplink() { for (;;); }' })).toMatchObject({
      errors: [expect.stringMatching(/^decoder_timeout/)],
    });
  });

  test('an encoder is tried with the object it encodes', async () => {
    const params = await aChannel();
    const encoder = 'function encodeDownlink(i) { return { bytes: [i.data.level, 255], fPort: 9 } }';
    const body = { function: 'encodeDownlink' as const, data: { level: 7 }, f_port: 2, script: encoder };
    expect((await client.call(decodersApi.test, { params, body })).body).toMatchObject({ bytes: '07ff', f_port: 9, errors: [] });
  });

  test('iot-behaviour 4.1: a trial gets the variables that are written for it', async () => {
    const params = await aChannel();
    const both = `function decodeUplink(i) { return { data: { level: i.bytes[0] + Number(i.variables.offset) } } }
      function encodeDownlink(i) { return { bytes: [i.data.level + Number(i.variables.offset)] } }`;
    await save(params, { script: both });
    const variables = { offset: '3' };
    const decoded = { params, body: { bytes: '04', variables } };
    expect(await viewer.get(decodersApi.test, decoded)).toMatchObject({ data: { level: 7 }, errors: [] });
    const encoded = { params, body: { function: 'encodeDownlink' as const, data: { level: 1 }, variables } };
    expect(await viewer.get(decodersApi.test, encoded)).toMatchObject({ bytes: '04', errors: [] });
  });

  test.each([
    [{ f_port: 1 }, 'bytes is required: hex or base64.'],
    [{ bytes: '01', variables: { 'no name': '1' } }, /“no name” is not allowed/],
    [{ bytes: 7, f_port: 1 }, 'bytes is required: hex or base64.'],
    [{ bytes: 'a b c', f_port: 1 }, 'bytes must be hex or base64.'],
    [{ bytes: '01', f_port: 0 }, 'f_port must be between 1 and 223.'],
    [{ bytes: '01', f_port: 'x' }, 'f_port must be between 1 and 223.'],
    [{ function: 'encodeDownlink' }, 'data is required: the object to encode.'],
    [{ bytes: '01', function: 'eval' }, /function/],
  ])('%j is refused with a reason', async (body, message) => {
    const params = await aChannel();
    await save(params, { script });
    expect(await client.call(decodersApi.test, { params, body: body as never })).toMatchObject({
      status: 400,
      message: expect.stringMatching(message),
    });
  });
});
