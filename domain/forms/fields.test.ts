import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { choice, file, flag, number, optionalText, port, secret, text, typeSchemaOf } from './fields.ts';

const options = z.strictObject({
  host: optionalText('Host', { default: '127.0.0.1' }),
  port: port('Port', 5432),
  user: optionalText('User'),
  password: secret('Password'),
  dbname: text('Database Name'),
  mode: choice('Mode', ['a', 'b'], 'a', { extra: true, names: { a: 'First' } }),
  certFile: file('Certificate'),
  writes: flag('Allow writes', false, { info: 'Careful.' }),
  limit: number('Limit', 10, { min: 1, max: 100 }),
});
const parse = (given: object) => options.safeParse({ dbname: 'x', ...given });
const faultOf = (given: object) => parse(given).error?.issues[0]?.message ?? '';

describe('A3: one schema checks the options and draws the form', () => {
  test('the form has order, labels, defaults, secrets and folded fields', () => {
    expect(typeSchemaOf(options)).toEqual({
      type: 'object',
      order: ['host', 'port', 'user', 'password', 'dbname', 'mode', 'certFile', 'writes', 'limit'],
      required: ['dbname'],
      secret: ['password', 'certFile'],
      extra_options: ['mode', 'certFile'],
      properties: {
        host: { type: 'string', title: 'Host', default: '127.0.0.1' },
        port: { type: 'number', title: 'Port', default: 5432, minimum: 1, maximum: 65_535, multipleOf: 1 },
        user: { type: 'string', title: 'User' },
        password: { type: 'string', title: 'Password' },
        dbname: { type: 'string', title: 'Database Name' },
        mode: {
          type: 'string',
          title: 'Mode',
          default: 'a',
          extendedEnum: [
            { value: 'a', name: 'First' },
            { value: 'b', name: 'b' },
          ],
        },
        certFile: { type: 'string', title: 'Certificate' },
        writes: { type: 'boolean', title: 'Allow writes', default: false, info: 'Careful.' },
        limit: { type: 'number', title: 'Limit', default: 10, minimum: 1, maximum: 100 },
      },
    });
  });

  test('missing fields take their default', () => {
    expect(parse({}).data).toEqual({ host: '127.0.0.1', port: 5432, dbname: 'x', mode: 'a', writes: false, limit: 10 });
  });

  test('A5: null and empty mean "not given", in every field', () => {
    const names = ['host', 'port', 'user', 'password', 'mode', 'certFile', 'writes', 'limit'];
    for (const nothing of [null, '']) {
      expect(parse(Object.fromEntries(names.map((name) => [name, nothing]))).data).toEqual(parse({}).data);
    }
  });

  test('texts are trimmed, secrets are not', () => {
    expect(parse({ user: ' ann ', password: ' p ' }).data).toMatchObject({ user: 'ann', password: ' p ' });
  });

  test('numbers may come as text', () => {
    expect(parse({ port: ' 5433 ', limit: '7' }).data).toMatchObject({ port: 5433, limit: 7 });
  });
});

describe('faults are told in words', () => {
  test.each([
    [{ dbname: undefined }, 'Database Name is required.'],
    [{ dbname: '' }, 'Database Name is required.'],
    [{ dbname: '   ' }, 'Database Name is required.'],
    [{ dbname: {} }, 'Database Name is required.'],
    [{ port: 'x' }, 'Port must be a number.'],
    [{ port: 99_999_999 }, 'Port must be between 1 and 65535.'],
    [{ port: -5 }, 'Port must be between 1 and 65535.'],
    [{ port: '0' }, 'Port must be between 1 and 65535.'],
    [{ port: 1.5 }, 'Port must be a whole number.'],
    [{ limit: 101 }, 'Limit must be between 1 and 100.'],
    [{ writes: 'yes' }, 'Allow writes must be true or false.'],
  ])('%j', (given, message) => {
    expect(faultOf(given)).toBe(message);
  });

  test.each([
    { port: 65_536 },
    { limit: 0 },
    { mode: 'c' },
    { certFile: 'no base64!' },
    { user: 5 },
    { host: 'x'.repeat(4097) },
    { password: {} },
  ])('%j is refused', (given) => {
    expect(parse(given).success).toBe(false);
  });

  test('security 8: what a kind did not declare is refused', () => {
    for (const key of ['init', 'constructor', 'Host', 'toString']) expect(parse({ [key]: 'x' }).success).toBe(false);
  });
});
