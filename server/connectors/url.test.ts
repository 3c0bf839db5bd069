import { expect, test } from 'vitest';
import { createOutgoingHttp } from '../platform/outgoing.ts';
import { describeConnector } from './testing/describe-connector.ts';
import { type LocalServer, localServer, sendJson } from './testing/local-server.ts';
import { runOnce } from './testing/run-table.ts';
import { url } from './url.ts';

let server: LocalServer;

describeConnector(url, {
  setUp: async () => {
    server = await localServer((request, response) => {
      if (request.url === '/api/slow') return;
      if (request.url === '/api/empty') return void response.end(' ');
      if (request.url === '/api/other') return sendJson(response, [1]);
      if (request.url === '/api/long')
        return sendJson(response, {
          columns: [{ name: 'a' }, { name: 'b' }],
          rows: Array.from({ length: 200_000 }, (_, a) => ({ a, b: 'some text to fill the line' })),
        });
      if (request.url === '/api/none') return sendJson(response, { columns: [{ name: 'a', type: 'float' }, { name: 'b' }], rows: [] });
      if (request.url.startsWith('/api/wide/')) {
        const names = Array.from({ length: Number(request.url.split('/').at(-1)) }, (_, i) => `c${i}`);
        const row = Object.fromEntries(names.map((name, i) => [name, i]));
        return sendJson(response, { columns: names.map((name) => ({ name, type: 'integer' })), rows: [row] });
      }
      response.end('{"columns":[{"name":"a","type":"integer"},{"name":"b","type":"odd"}],"rows":[{"a":9007199254740993,"b":"x","c":1}]}');
    });
  },
  tearDown: () => server.close(),
  server: () => ({ host: '127.0.0.1', port: server.port }),
  options: (at) => ({ url: `http://127.0.0.1:${at?.port ?? server.port}/api`, username: 'reader', password: 'canary-7f3a' }),
  sql: {
    one: '/data',
    values: {
      'columns as they are given': {
        query: '/data?x=1',
        columns: { a: 'integer', b: 'string' },
        rows: [{ a: '9007199254740993', b: 'x' }],
      },
    },
    empty: { query: '/none', columns: { a: 'float', b: null } },
    wide: (columns) => `/wide/${columns}`,
    many: { query: '/long', rows: 200_000 },
    errors: {
      'an absolute address': { query: 'http://127.0.0.1/', message: /^Accepting only relative URLs to 'http:\/\/127\.0\.0\.1:\d+\/api'$/ },
      'another host without a scheme': { query: '//127.0.0.2/', message: /^Accepting only relative URLs/ },
      'an empty answer': { query: '/empty', message: /^Got empty response from 'http:.*\/api\/empty'\.$/ },
      'another answer': { query: '/other', message: /^The answer must be JSON with columns and rows\.$/ },
    },
    slow: { query: '/slow' },
    long: '/long',
  },
});

test('security 9: a path below the base never becomes another host', async () => {
  const http = createOutgoingHttp({ allowPrivate: ['*'], lookup: async (host) => Promise.reject(new Error(host)) });
  await expect(runOnce(url, { url: 'http://api.test' }, '.evil.test/', { env: { http } })).rejects.toThrow(
    'The host api.test was not found.',
  );
  await expect(runOnce(url, { url: 'http://api.test' }, '@evil.test/', { env: { http } })).rejects.toThrow(
    'The host api.test was not found.',
  );
  await expect(runOnce(url, { url: 'http://api.test/v1' }, '/../x', { env: { http } })).rejects.toThrow(
    "Accepting only relative URLs to 'http://api.test/v1'",
  );
});

test('without a base any public address will do', async () => {
  const http = createOutgoingHttp({ allowPrivate: [] });
  await expect(runOnce(url, {}, 'http://127.0.0.1/', { env: { http } })).rejects.toThrow("Can't query private addresses.");
  await expect(runOnce(url, {}, '/data')).rejects.toThrow("'/data' is not an address.");
});
