import { gzipSync } from 'node:zlib';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { describe, expect, test } from 'vitest';
import { type RawReply, rawBytes, rawRequest } from '../../testing/raw.ts';
import { testApp } from '../../testing/test-app.ts';

const app = await testApp();
const key = { authorization: `Key ${app.admin.api_key}` };
const json = { 'content-type': 'application/json' };
const raw = (path: string, options: Parameters<typeof rawRequest>[2] = {}) => rawRequest(app.origin, path, options);

/** Checks every answer: it has all headers and a request id, and reveals no internals (security 27). */
function expectTidy({ headers, text, status }: Pick<RawReply, 'headers' | 'text' | 'status'>): void {
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers['content-security-policy']).toContain("script-src 'self';");
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'sameorigin',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-download-options': 'noopen',
  });
  expect(headers['x-powered-by'] ?? headers.server).toBeUndefined();
  expect(text).not.toMatch(/\bat .*\.(js|ts):\d|node_modules|\/work\/|\/server\/|FST_ERR|select .* from|ZodError|statusCode/i);
  if (status >= 400 && headers['content-type']?.includes('json')) expect(Object.keys(JSON.parse(text))).toEqual(['message']);
}

describe('every answer', () => {
  test.each([
    ['a page', '/login', {}, 200],
    ['an API call', '/api/session', { headers: key }, 200],
    ['an unknown API route', '/api/nothing', { headers: key }, 404],
    ['an unknown API route for nobody', '/api/nothing', {}, 404],
    ['an unknown page for nobody', '/nothing', {}, 302],
    ['a method that does not exist here', '/api/users', { method: 'PUT', headers: { ...key, ...json }, body: '{}' }, 405],
    ['a method nobody knows', '/api/users', { method: 'PROPFIND', headers: key }, 404],
    ['OPTIONS', '/api/users', { method: 'OPTIONS', headers: key }, 404],
    ['TRACE', '/api/users', { method: 'TRACE', headers: key }, 404],
    ['HEAD', '/api/session', { method: 'HEAD', headers: key }, 200],
    ['a broken escape', '/api/users/%zz', { headers: key }, 400],
    ['a broken escape in a page', '/%c0%af', {}, 400],
    ['a broken escape in the query', '/login?next=%zz', {}, 200],
    ['a parameter of 600 characters', `/api/users/${'a'.repeat(600)}`, { headers: key }, 414],
    ['a query of 10,000 characters', `/api/users?q=${'a'.repeat(10_000)}`, { headers: key }, 400],
    ['headers of 20 KB', '/api/session', { headers: { ...key, 'x-large': 'a'.repeat(20_000) } }, 431],
    [
      'a thousand headers',
      '/api/session',
      { headers: { ...key, ...Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`x-${i}`, '1'])) } },
      200,
    ],
    [
      'a hundred cookies',
      '/api/session',
      { headers: { cookie: Array.from({ length: 100 }, (_, i) => `session${i}=x; session=y`).join('; ') } },
      404,
    ],
    ['an odd Accept-Encoding', '/login', { headers: { 'accept-encoding': ';;q=x, *;q=0, gzip;q=-1' } }, 200],
    ['a forged request id', '/ping', { headers: { 'x-request-id': 'mine', 'request-id': 'mine' } }, 200],
    ['an odd host', '/login', { headers: { host: 'a"><script>' } }, 200],
  ] as [string, string, Parameters<typeof rawRequest>[2], number][])('to %s is tidy', async (_, path, options, status) => {
    const answer = await raw(path, options);
    expect(answer.status).toBe(status);
    expectTidy(answer);
  });

  test.each([
    ['no HTTP at all', 'garbage\r\n\r\n', 400],
    ['two lengths', 'POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello', 400],
    [
      'length and chunks (smuggling)',
      'POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a space before the colon', 'GET /ping HTTP/1.1\r\nHost : a\r\n\r\n', 400],
    ['a bare line feed in a header', 'GET /ping HTTP/1.1\r\nHost: a\r\nX: a\nY: b\r\n\r\n', 400],
    ['endless headers', `GET /ping HTTP/1.1\r\nHost: a\r\n${'X-Y: aaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(1000)}\r\n`, 431],
  ])('to %s has the same shape', async (_, bytes, status) => {
    const answer = await rawBytes(app.origin, bytes);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status}`);
    expect(head).toMatch(/x-request-id: [0-9a-f-]{36}/);
    expect(head).toContain('content-security-policy: ');
    expect(Object.keys(JSON.parse(body))).toEqual(['message']);
  });

  test('request ids differ', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await raw('/ping')).headers['x-request-id']));
    expect(new Set(ids).size).toBe(20);
  });

  test('server-behaviour 1.1: not signed in is a 404 that says Please login; a page leads to the sign-in', async () => {
    expect((await raw('/api/users')).text).toContain('Please login');
    expect((await raw('/some/page', { headers: { 'x-requested-with': 'XMLHttpRequest' } })).text).toContain('Please login');
    expect((await raw('/some/page')).headers.location).toMatch(/^\/login\?next=/);
  });

  test('answers of the API are never kept by a cache', async () => {
    for (const path of ['/api/session', '/api/users', '/api/nothing', '/api/users/999999']) {
      expect((await raw(path, { headers: key })).headers['cache-control']).toBe('no-store');
    }
  });
});

describe('bodies', () => {
  const post = (body: string | Buffer, headers: Record<string, string> = json) =>
    raw('/api/groups', { method: 'POST', headers: { ...key, ...headers }, body });

  test('server-behaviour 1.1: a body is JSON whatever it calls itself, and none at all is an empty object', async () => {
    for (const type of ['application/json', 'text/plain', 'application/octet-stream', 'application/vnd.x+json; charset=utf-8']) {
      expect((await post('{"name":"Any type"}', { 'content-type': type })).status).toBe(200);
    }
    expect((await post('{"name":"No type"}', {})).status).toBe(200);
    for (const empty of ['', '   \n']) expect(JSON.parse((await post(empty)).text).message).toBe('Name is required.');
  });

  test.each([
    '{',
    '{"name":}',
    "{'name':'x'}",
    'name=x',
    '<x/>',
    '{"name":"x"} {"name":"y"}',
    'undefined',
    'NaN',
    '{"a":1,}',
    '\u0001',
    '{"name":"a\nb"}',
  ])('bad JSON %j is a 400', async (body) => {
    const answer = await post(body);
    expect({ status: answer.status, body: JSON.parse(answer.text) }).toEqual({
      status: 400,
      body: { message: 'The body is not valid JSON.' },
    });
    expectTidy(answer);
  });

  test('5 MB are a 413 with or without a stated length, and so are bodies that unpack to more', async () => {
    const head = `POST /api/groups HTTP/1.1\r\nHost: a\r\nAuthorization: ${key.authorization}\r\n`;
    const size = 5 * 1024 * 1024;
    const told = await rawBytes(app.origin, `${head}Content-Length: ${size}\r\n\r\n`, 1000);
    const untold = await rawBytes(app.origin, `${head}Transfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n${' '.repeat(size)}`, 5000);
    for (const answer of [told, untold]) {
      expect(answer).toMatch(/^HTTP\/1.1 413[\s\S]*{"message":"The request is too large."}/);
      expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}/);
    }
    const bomb = await post(gzipSync(Buffer.alloc(50 * 1024 * 1024, 32)), { ...json, 'content-encoding': 'gzip' });
    expect(bomb.status).toBeGreaterThanOrEqual(400);
    expect(bomb.status).toBeLessThan(500);
    expectTidy(bomb);
    expect((await raw('/ping')).text).toBe('PONG.');
  });

  test('the forms that are open to everybody take 64 KB', async () => {
    for (const path of ['/login', '/forgot', '/setup', '/invite/x', '/reset/x']) {
      const answer = await raw(path, { method: 'POST', headers: json, body: JSON.stringify({ email: 'a'.repeat(70_000) }) });
      expect([path, answer.status]).toEqual([path, 413]);
      expectTidy(answer);
    }
  });

  test('a body that lies about its packing is a 4xx', async () => {
    for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'nonsense', 'gzip, gzip']) {
      const answer = await post('{"name":"x"}', { ...json, 'content-encoding': encoding });
      expect([encoding, answer.status >= 400 && answer.status < 500]).toEqual([encoding, true]);
      expectTidy(answer);
    }
  });

  test('nobody is asked for a body before they may send it', async () => {
    const answer = await rawBytes(app.origin, 'POST /api/groups HTTP/1.1\r\nHost: a\r\nContent-Length: 4000000\r\n\r\n', 1000);
    expect(answer).toContain('HTTP/1.1 404');
  });

  test('half a character is stored as a replacement or refused, never a failure', async () => {
    const answer = await post('{"name":"half \\ud83d"}');
    expect([200, 400]).toContain(answer.status);
  });
});

describe('lists (1.2)', () => {
  test.each([
    ['page=1&page=2', 400],
    ['q=a&q=b', 400],
    ['order[a]=b', 200],
    ['page[]=1', 200],
    ['__proto__=x', 200],
    ['__proto__[page]=5', 200],
    ['constructor=x&prototype=y&toString=z', 200],
    ['order=__proto__', 200],
    ['order=-constructor', 200],
    ['order=id;drop%20table%20users', 200],
    ['order=-', 200],
    ['q=%25', 200],
    ['q=%27%20or%201%3D1--', 200],
    ['q=%5C', 200],
    ['q=%00', 400],
    ['page=%00', 400],
    ['%00=1', 400],
    ['page=99999999999999999999', 200],
    ['page=999999999999999', 400],
    ['page=999999999999999&q=nobody-at-all', 404],
    ['page=-1', 400],
    ['page=1e3', 200],
    ['page=0x10', 200],
    ['page_size=0', 400],
    ['page_size=-5&page=2', 400],
    ['page_size=999999999999999', 400],
    ['page=2&page_size=-999999999999999', 400],
    ['tags=a&tags=b', 200],
    ['pending=TRUE', 200],
    ['pending=maybe', 400],
    ['disabled=true&disabled=false', 400],
    ['&&&===&?', 200],
  ])('?%s → %i', async (query, status) => {
    const answer = await raw(`/api/users?${query}`, { headers: key });
    expect(answer.status).toBe(status);
    expectTidy(answer);
  });

  test('nothing was polluted on the way', async () => {
    expect(({} as Record<string, unknown>).page ?? ({} as Record<string, unknown>).x).toBeUndefined();
    expect((await app.as(app.admin).get(usersApi.list)).page).toBe(1);
  });
});
