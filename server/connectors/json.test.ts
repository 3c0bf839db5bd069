import { expect, test } from 'vitest';
import { createOutgoingHttp } from '../platform/outgoing.ts';
import { json } from './json.ts';
import { describeConnector } from './testing/describe-connector.ts';
import { type LocalServer, localServer, localSource, sendJson, serverForTest } from './testing/local-server.ts';
import { runOnce } from './testing/run-table.ts';

let server: LocalServer;

describeConnector(json, {
  setUp: async () => {
    server = await localServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url, 'http://x');
      if (pathname === '/slow') return;
      if (pathname === '/broken') return void response.writeHead(500).end('no luck today');
      if (pathname === '/long')
        return sendJson(
          response,
          Array.from({ length: 100_000 }, (_, i) => ({ i, text: 'some text to fill the line' })),
        );
      response.end(request.body || (searchParams.get('answer') ?? '[{"one": 1}]'));
    });
  },
  ...localSource(() => server),
  sql: {
    one: 'url: /',
    values: {
      'types, nulls and nested objects': {
        query: `url: /\nparams: {answer: '[{"i": 1, "f": 1.5, "b": true, "s": "x", "t": "2026-01-02T03:04:05Z", "d": "2026-01-02", "n": null, "o": {"a": 1, "b": {"c": 2}}, "l": [1]}]'}`,
        columns: {
          i: 'integer',
          f: 'float',
          b: 'boolean',
          s: 'string',
          t: 'datetime',
          d: 'date',
          n: null,
          'o.a': 'integer',
          'o.b': null,
          l: null,
        },
        rows: [{ i: 1, f: 1.5, b: true, s: 'x', t: '2026-01-02T03:04:05Z', d: '2026-01-02', n: null, 'o.a': 1, 'o.b': { c: 2 }, l: [1] }],
      },
      'big integers and decimals without loss': {
        query: `url: /\nparams: {answer: '[{"big": 9223372036854775807, "dec": 1234567890.123456789012}]'}`,
        columns: { big: 'integer', dec: 'float' },
        rows: [{ big: '9223372036854775807', dec: '1234567890.123456789012' }],
      },
      'section 19: moments parted by a blank are moments, unless other texts stand beside them': {
        query: `url: /\nparams: {answer: '[{"t": "2026-01-31 10:00:00.123456", "m": "2026-01-31 10:00"}, {"t": null, "m": "soon"}, {"t": "2026-01-31T11:00:00Z"}]'}`,
        columns: { t: 'datetime', m: 'string' },
        rows: [
          { t: '2026-01-31T10:00:00.123', m: '2026-01-31 10:00' },
          { t: null, m: 'soon' },
          { t: '2026-01-31T11:00:00Z', m: null },
        ],
      },
      'design 8: decimals that no double holds make a column of numbers': {
        query: `url: /\nparams: {answer: '[{"v": 52.520006599999999, "w": 0.10000000000000001}, {"v": 3, "w": 0.29999999999999999}]'}`,
        columns: { v: 'float', w: 'float' },
        rows: [
          { v: '52.520006599999999', w: '0.10000000000000001' },
          { v: 3, w: '0.29999999999999999' },
        ],
      },
      unicode: {
        query: `url: /\nparams: {answer: '[{"größe": "Ωμέγα 🚀 \\u2028"}]'}`,
        columns: { größe: 'string' },
        rows: [{ größe: 'Ωμέγα 🚀 \u2028' }],
      },
      'columns of all rows': {
        query: `url: /\nparams: {answer: '[{"a": 1}, {"b": "x"}, {"a": 1.5}]'}`,
        columns: { a: 'float', b: 'string' },
        rows: [
          { a: 1, b: null },
          { a: null, b: 'x' },
          { a: 1.5, b: null },
        ],
      },
      'names that mean something to JavaScript': {
        query: `url: /\nparams: {answer: '[{"__proto__": 1, "constructor": {"prototype": 2}}]'}`,
        columns: { ['__proto__']: 'integer', 'constructor.prototype': 'integer' },
        rows: [JSON.parse('{"__proto__": 1, "constructor.prototype": 2}')],
      },
      'what is no object': {
        query: `url: /\nparams: {answer: '[1, 2]'}`,
        columns: { value: 'integer' },
        rows: [{ value: 1 }, { value: 2 }],
      },
      'one object': { query: `url: /\nparams: {answer: '{"a": 1}'}`, columns: { a: 'integer' }, rows: [{ a: 1 }] },
    },
    empty: { query: `url: /\nparams: {answer: '[]'}`, columns: {} },
    wide: (columns) =>
      `url: /\nmethod: post\njson: ${JSON.stringify([Object.fromEntries(Array.from({ length: columns }, (_, i) => [`c${i}`, i]))])}`,
    many: { query: 'url: /long', rows: 100_000 },
    errors: {
      'no address': { query: 'path: a', message: /^Query must include 'url' option\.$/ },
      'another method': { query: 'url: /\nmethod: delete', message: /^Only GET or POST methods are allowed\.$/ },
      'fields that are no list': { query: 'url: /\nfields: a', message: /^'fields' needs to be a list\.$/ },
      'a failing server': { query: 'url: /broken', message: /^Failed to execute query\. Return Code: 500 Reason: no luck today$/ },
      'an empty answer': { query: "url: /\nparams: {answer: ''}", message: /^Got empty response from '\/'\.$/ },
      'no JSON': { query: 'url: /\nparams: {answer: hello}', message: /^The answer of '\/' is not JSON\.$/ },
      'no such path': { query: 'url: /\npath: a.b', message: /^Couldn't find path a\.b in response\.$/ },
      'bad YAML': { query: 'url: /\nparams: {a', line: 2, column: 11, message: /^Not valid YAML: / },
      'another host': { query: 'url: http://127.0.0.2/', message: /^Accepting only relative URLs to 'http:\/\/127\.0\.0\.1:\d+'$/ },
    },
    slow: { query: 'url: /slow' },
    long: 'url: /long',
  },
});

const echo = () =>
  serverForTest((request, response) =>
    sendJson(response, { ...request, headers: { authorization: null, 'content-type': null, 'x-own': null, ...request.headers } }),
  );
const run = (query: string, options: Record<string, unknown> = {}) => runOnce(json, options, query);

test('section 19: parameters, headers, credentials and body are sent as the query says', async () => {
  const { origin } = await echo();
  const { rows } = await run(
    `url: ${origin}/a?x=1\nmethod: POST\nparams: {y: [2, 3], z: true}\nheaders: {X-Own: 7}\nauth: [me, secret]\njson: {a: [1, {b: null}]}`,
  );
  expect(rows[0]).toMatchObject({
    method: 'POST',
    url: '/a?x=1&y=2&y=3&z=true',
    body: '{"a":[1,{"b":null}]}',
    'headers.x-own': '7',
    'headers.authorization': `Basic ${btoa('me:secret')}`,
    'headers.content-type': 'application/json',
  });
});

test('section 19: data is a form, or the text it is', async () => {
  const { origin } = await echo();
  expect((await run(`url: ${origin}\nmethod: post\ndata: {a: 1, b: 'x y'}`)).rows[0]).toMatchObject({
    body: 'a=1&b=x+y',
    'headers.content-type': 'application/x-www-form-urlencoded',
  });
  expect((await run(`url: ${origin}\nmethod: post\ndata: plain\nheaders: {content-type: text/csv}`)).rows[0]).toMatchObject({
    body: 'plain',
    'headers.content-type': 'text/csv',
  });
});

test('section 19: saved credentials go to the base and nowhere else', async () => {
  const { origin, requests } = await echo();
  await run('url: a', { base_url: `${origin}/v1`, username: 'me', password: 'p' });
  expect(requests[0]).toMatchObject({ url: '/v1/a', headers: { authorization: `Basic ${btoa('me:p')}` } });
  await expect(run(`url: ${origin}`, { username: 'me', password: 'p' })).rejects.toThrow('need a Base URL');
});

test('a query cannot turn the check of certificates off where a password is at stake', async () => {
  await expect(run('url: /\nverify: false', { base_url: 'https://127.0.0.1', password: 'p' })).rejects.toThrow(
    "Only an administrator can turn 'verify' off",
  );
});

test('section 19: path and fields pick from the answer', async () => {
  const { origin } = await serverForTest((_request, response) =>
    sendJson(response, { data: { items: [{ id: 1, name: 'a', pos: { x: 1, y: 2 }, more: { z: 3 } }] } }),
  );
  const { columns, rows } = await run(`url: ${origin}\npath: data.items\nfields: [id, pos, more.z]`);
  expect(columns.map(({ name }) => name)).toEqual(['id', 'pos.x', 'pos.y', 'more.z']);
  expect(rows).toEqual([{ id: 1, 'pos.x': 1, 'pos.y': 2, 'more.z': 3 }]);
});

test('section 19: pages by address', async () => {
  const server = await serverForTest((request, response) => {
    const page = Number(new URL(request.url, 'http://x').searchParams.get('page') ?? 1);
    sendJson(response, { items: [{ page }], _links: page < 3 ? { next: { href: `?page=${page + 1}` } } : {} });
  });
  expect((await run(`url: ${server.origin}/list\npath: items\npagination: {type: url}`)).rows).toEqual([
    { page: 1 },
    { page: 2 },
    { page: 3 },
  ]);
  expect(server.requests.map(({ url }) => url)).toEqual(['/list', '/list?page=2', '/list?page=3']);
});

test('section 19: pages by token', async () => {
  const server = await serverForTest((request, response) => {
    const token = new URL(request.url, 'http://x').searchParams.get('cursor');
    sendJson(response, { items: [{ token }], meta: { next: token === 'b' ? '' : token === 'a' ? 'b' : 'a' } });
  });
  expect(
    (await run(`url: ${server.origin}\nparams: {q: 1}\npath: items\npagination: {type: token, fields: [meta.next, cursor]}`)).rows,
  ).toEqual([{ token: null }, { token: 'a' }, { token: 'b' }]);
  expect(server.requests[2]?.url).toBe('/?q=1&cursor=b');
});

test('pages that never end, or lead elsewhere, are an error', async () => {
  const { origin, requests } = await serverForTest((request, response) =>
    sendJson(response, { next: request.url === '/away' ? 'http://127.0.0.2:9/' : request.url, token: 'same' }),
  );
  await expect(run(`url: ${origin}/loop\npagination: {type: url, path: next}`)).rejects.toThrow(
    'The next page is one that was read before',
  );
  await expect(run(`url: ${origin}/t\npagination: {type: token, fields: [token, t]}`)).rejects.toThrow(
    'token did not change; possible misconfiguration',
  );
  await expect(run(`url: ${origin}/away\npagination: {type: url, path: next}`)).rejects.toThrow('The next page is on another server.');
  expect(requests).toHaveLength(4);
});

test.each([
  ['{type: cursor}', "'pagination' should have the type 'url' or 'token'."],
  ['next', "'pagination' should have the type 'url' or 'token'."],
  ['{type: token, fields: [a]}', "'pagination.fields' should be a list of 2 field names."],
  ['{type: url, path: 1}', "'pagination.path' should be a string."],
])('pagination %s is refused: %s', async (pagination, message) => {
  await expect(run(`url: http://127.0.0.1/\npagination: ${pagination}`)).rejects.toThrow(message);
});

test('section 19: private addresses are refused and redirects are not followed', async () => {
  const closed = { env: { http: createOutgoingHttp({ allowPrivate: [] }) } };
  await expect(runOnce(json, {}, 'url: http://127.0.0.1/', closed)).rejects.toThrow("Can't query private addresses.");
  const { origin } = await serverForTest((_request, response) => void response.writeHead(302, { location: '/other' }).end());
  await expect(run(`url: ${origin}`)).rejects.toThrow('Endpoint returned unexpected status code (302). Redirects are not followed.');
});
