import { ExactDecimal } from '@telltale/domain/results/exact-decimal.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { addressBelow, apiAddress } from './base-url.ts';
import { parseExactJson } from './exact-json.ts';
import { findPath } from './json-path.ts';
import { readYamlQuery } from './yaml-query.ts';

test.each([
  ['users', 'https://api.test/v1/users'],
  ['/users', 'https://api.test/v1/users'],
  ['/v1/users', 'https://api.test/v1/users'],
  ['users?a=1', 'https://api.test/v1/users?a=1'],
  ['?a=1', 'https://api.test/v1?a=1'],
  ['', 'https://api.test/v1'],
  ['a/../b', 'https://api.test/v1/b'],
  ['https://api.test/v1/users', 'https://api.test/v1/users'],
  ['https://API.test:443/v1', 'https://api.test/v1'],
])('%s below the base is %s', (text, address) => {
  expect(addressBelow('https://api.test/v1', text).href).toBe(address);
  expect(() => addressBelow('https://api.test/v1/', text)).not.toThrow();
});

test.each([
  'https://evil.test/',
  'https://api.test.evil.test/v1',
  'https://api.test@evil.test/v1',
  'https://user@api.test/v1/x',
  'http://api.test/v1/x',
  'https://api.test:8443/v1/x',
  'https://api.test/v10/x',
  '../admin',
  '%2e%2e/admin',
  '..%2fadmin',
  'x/..%5c..%5cadmin',
  '%252e%252e/admin',
  '..;/admin',
  'https://api.test/v1/../admin',
  '\\\\evil.test\\x/../../..',
  'file:///etc/passwd',
  '//evil.test/v1/x',
  '\\\\evil.test\\v1\\x',
  '/\\evil.test/v1',
  ' //evil.test/v1',
  '\t//evil.test/v1',
])('security 9: %s leads out of the base and is refused', (text) => {
  expect(() => addressBelow('https://api.test/v1', text)).toThrow("Accepting only relative URLs to 'https://api.test/v1'");
});

test.each(['.evil.test/', '@evil.test/', ':8080/'])('security 9: %s behind a base without a path stays on its host', (text) => {
  expect(addressBelow('https://api.test', text).host).toBe('api.test');
});

test('security 31: keys that mean something to JavaScript are only keys', async () => {
  const query = await readYamlQuery(
    'url: x\nheaders:\n  __proto__: a\n  constructor: b',
    z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }),
  );
  expect(Object.getPrototypeOf(query.headers)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>).a).toBeUndefined();
  expect(findPath(JSON.parse('{"a":{}}'), 'a.constructor')).toBeUndefined();
  expect(findPath(JSON.parse('{"a":{"__proto__":{"b":1}}}'), 'a.__proto__.b')).toBe(1);
});

test('a path goes through objects and lists, and finds names with dots', () => {
  const value = { a: { b: [{ c: 1 }] }, 'x.y': 2 };
  expect(findPath(value, 'a.b.0.c')).toBe(1);
  expect(findPath(value, 'x.y')).toBe(2);
  expect(findPath(value, 'a.b.1.c')).toBeUndefined();
  expect(findPath(null, 'a')).toBeUndefined();
});

test('numbers that no double holds keep their digits', () => {
  expect(parseExactJson('{"a":9007199254740993,"b":1.5,"c":0.12345678901234567890,"d":"9007199254740993"}')).toEqual({
    a: 9007199254740993n,
    b: 1.5,
    c: new ExactDecimal('0.12345678901234567890'),
    d: '9007199254740993',
  });
  expect(parseExactJson('[0.30000000000000004, 1e300, 100000000000000000000]')).toEqual([
    0.30000000000000004, 1e300, 100000000000000000000,
  ]);
});

const Query = z.strictObject({ url: z.string("Query must include 'url' option."), n: z.unknown().optional() });

test.each([
  ['n: 1', "Query must include 'url' option."],
  ['just text', 'The query must be a list of options in YAML, such as `url: …`.'],
  ['', 'The query must be a list of options in YAML, such as `url: …`.'],
  ['url: a\nfeilds: 1', "Unknown option 'feilds'. There are: url, n."],
])('the query %j is refused: %s', async (text, message) => {
  await expect(readYamlQuery(text, Query)).rejects.toThrow(message);
});

test('a mistake in YAML has its place', async () => {
  await expect(readYamlQuery('url: a\nn: [1, 2', Query)).rejects.toThrow(
    expect.objectContaining({ line: 2, message: expect.stringMatching(/^Not valid YAML: /) }),
  );
  await expect(readYamlQuery('url: a\nurl: b', Query)).rejects.toThrow(expect.objectContaining({ line: 2 }));
});

test('security 32: aliases of aliases do not grow without end', async () => {
  const levels = Array.from(
    { length: 12 },
    (_, i) => `${String.fromCharCode(98 + i)}: &${String.fromCharCode(98 + i)} [${`*${String.fromCharCode(97 + i)},`.repeat(9)}]`,
  );
  await expect(readYamlQuery(`url: x\na: &a [1]\n${levels.join('\n')}`, Query)).rejects.toThrow(
    'Not valid YAML: an alias is unknown or used too often.',
  );
});

test('whole numbers in YAML are numbers, too long ones keep their digits', async () => {
  expect((await readYamlQuery('url: a\nn: [1, 9007199254740993, 1.5, 0x10]', Query)).n).toEqual([1, '9007199254740993', 1.5, 16]);
});

test('an invalid address is named as typed, without the path that a kind adds', () => {
  expect(apiAddress('http://127.0.0.1:9090//', 'api/v1/query')).toBe('http://127.0.0.1:9090/api/v1/query');
  expect(() => apiAddress('not a url', 'api/v1/query')).toThrow("'not a url' is not an address.");
});
