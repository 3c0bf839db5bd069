import { expect, test } from 'vitest';
import { createOutgoingHttp } from '../platform/outgoing.ts';
import { readOnlyMessage } from './connector.ts';
import { graphql } from './graphql.ts';
import { describeConnector } from './testing/describe-connector.ts';
import { type LocalServer, localServer, sendJson, serverForTest } from './testing/local-server.ts';
import { runOnce } from './testing/run-table.ts';

let server: LocalServer;
let isLarge = false;

const schemaAnswer = {
  __schema: {
    types: [
      {
        kind: 'OBJECT',
        name: 'Device',
        description: 'A thing',
        fields: [
          { name: 'id', description: null, type: { kind: 'NON_NULL', name: null, ofType: { kind: 'SCALAR', name: 'ID' } } },
          {
            name: 'tags',
            description: 'labels',
            type: { kind: 'LIST', name: null, ofType: { kind: 'SCALAR', name: 'String', ofType: null } },
          },
        ],
      },
      { kind: 'OBJECT', name: '__Type', fields: [] },
      { kind: 'SCALAR', name: 'ID', fields: null },
    ],
  },
};

const largeSchema = () => ({
  __schema: {
    types: Array.from({ length: 500 }, (_, i) => ({
      kind: 'OBJECT',
      name: `Type${i}`,
      fields: Array.from({ length: 100 }, (_ignored, n) => ({
        name: `field${n}`,
        description: 'what it is for',
        type: { kind: 'NON_NULL', name: null, ofType: { kind: 'LIST', name: null, ofType: { kind: 'SCALAR', name: 'String' } } },
      })),
    })),
  },
});

describeConnector(graphql, {
  setUp: async () => {
    server = await localServer((request, response) => {
      const { query, variables } = JSON.parse(request.body);
      if (query.includes('slow')) return;
      if (query.includes('__schema')) return sendJson(response, { data: isLarge ? largeSchema() : schemaAnswer });
      if (query.includes('nope')) {
        response.statusCode = 400;
        return sendJson(response, {
          errors: [
            { message: 'Cannot query field "nope" on type "Query".', locations: [{ line: 2, column: 3 }] },
            { message: 'And more.' },
          ],
        });
      }
      if (query.includes('failing')) return void response.writeHead(502).end('bad gateway');
      if (query.includes('text')) return void response.end('not JSON');
      if (query.includes('long'))
        return sendJson(response, {
          data: { devices: Array.from({ length: 100_000 }, (_, id) => ({ id, name: 'some text to fill the line' })) },
        });
      if (query.includes('wide')) {
        const device = Object.fromEntries(Array.from({ length: variables.columns }, (_, i) => [`c${i}`, i]));
        return sendJson(response, { data: { devices: [device] } });
      }
      if (query.includes('single')) return sendJson(response, { data: { device: { id: 1, place: { x: 2 } } } });
      if (query.includes('none')) return sendJson(response, { data: { devices: [] } });
      response.setHeader('content-type', 'application/graphql-response+json');
      response.end(
        `{"data":{"meta":{"lists":{"deep":[0]}},"devices":{"edges":[{"node":{"id":${variables?.id ?? '9007199254740993'},"name":"größe 🚀"},"tags":["a"]},{"node":{"id":2,"name":null},"tags":[]}]}}}`,
      );
    });
  },
  tearDown: () => server.close(),
  server: () => ({ host: '127.0.0.1', port: server.port }),
  options: (at) => ({ url: `http://127.0.0.1:${at?.port ?? server.port}/graphql`, headers: 'Authorization: Bearer canary-7f3a' }),
  sql: {
    one: '{ single { id } }',
    values: {
      'the first list, one level unfolded': {
        query: 'query Devices { devices { edges { node { id name } tags } } }',
        columns: { 'node.id': 'integer', 'node.name': 'string', tags: null },
        rows: [
          { 'node.id': '9007199254740993', 'node.name': 'größe 🚀', tags: ['a'] },
          { 'node.id': 2, 'node.name': null, tags: [] },
        ],
      },
      'variables, path and fields in YAML': {
        query:
          '# by number\nquery: |\n  query ($id: Int) { devices(id: $id) { edges { node { id } } } }\nvariables: {id: 7}\npath: devices.edges\nfields: [node.id]',
        columns: { 'node.id': 'integer' },
        rows: [{ 'node.id': 7 }, { 'node.id': 2 }],
      },
      'one object is one row': {
        query: '{ single { id place { x } } }',
        columns: { id: 'integer', 'place.x': 'integer' },
        rows: [{ id: 1, 'place.x': 2 }],
      },
    },
    empty: { query: '{ none }', columns: {} },
    wide: (columns) => `query: "query ($columns: Int) { wide(columns: $columns) }"\nvariables: {columns: ${columns}}`,
    many: { query: '{ long }', rows: 100_000 },
    errors: {
      'a mistake has its place': {
        query: '{\n  nope }',
        line: 2,
        column: 3,
        message: /^Cannot query field "nope" on type "Query"\.\nAnd more\.$/,
      },
      'in YAML the place would be another': { query: 'query: "{ nope }"', message: /nope/ },
      'a failing server': { query: '{ failing }', message: /^Failed to execute query\. Return Code: 502 Reason: bad gateway$/ },
      'another kind of server': { query: '{ text }', message: /^The server does not answer as GraphQL does\.$/ },
      'no such path': { query: 'query: "{ single }"\npath: a.b', message: /^Couldn't find path a\.b in response\.$/ },
      'a subscription': { query: 'subscription { a }', message: /^Subscriptions never end/ },
    },
    slow: { query: '{ slow }' },
    long: '{ long }',
    writes: {
      attempts: ['mutation { a }', '{ a } mutation B { b }', '# x\rmutation { a }', 'query: "mutation { a }"', 'extend type X { a: Int }'],
      state: async () => server.requests.length,
    },
    allowedWrite: { query: 'mutation { a }', state: async () => server.requests.length },
  },
  schema: {
    tables: [
      {
        name: 'Device',
        columns: [
          { name: 'id', type: 'ID!' },
          { name: 'tags', type: '[String]', description: 'labels' },
        ],
      },
    ],
    large: {
      prepare: async () => {
        isLarge = true;
      },
      columns: 50_000,
      withinMs: 5000,
    },
  },
});

test('the query is sent with its variables and the saved headers', async () => {
  const own = await serverForTest((_request, response) => sendJson(response, { data: { a: [1] } }));
  await runOnce(
    graphql,
    { url: own.origin, headers: 'X-Key: a: b\nX-Other: c' },
    'query: "query A { a }"\noperationName: A\nvariables: {n: [1, {x: null}]}',
  );
  expect(own.requests[0]).toMatchObject({
    method: 'POST',
    headers: { 'x-key': 'a: b', 'x-other': 'c', 'content-type': 'application/json' },
  });
  expect(JSON.parse(own.requests[0]?.body ?? '')).toEqual({
    query: 'query A { a }',
    operationName: 'A',
    variables: { n: [1, { x: null }] },
  });
  await runOnce(graphql, { url: own.origin, headers: '{"X-Key": 7}' }, '{ a }');
  expect(own.requests[1]?.headers['x-key']).toBe('7');
});

test('security 32: a document is told from YAML by its first words, however its comments look', async () => {
  const own = await serverForTest((_request, response) => sendJson(response, { data: { a: [1] } }));
  const sent = async (query: string) => {
    await runOnce(graphql, { url: own.origin }, query);
    return JSON.parse(own.requests.at(-1)?.body ?? '').query;
  };
  const comments = `${'# '.repeat(1000)}\n# query: none\n{ a }`;
  expect(await sent(comments)).toBe(comments);
  expect(await sent('# a: b\r\n\r\n  # c\r\nquery: "{ a }"')).toBe('{ a }');
});

test('headers that are none are named, without what they hold', async () => {
  for (const headers of ['canary-7f3a', '{"a": canary-7f3a']) {
    const error: Error = await runOnce(graphql, { url: 'http://127.0.0.1:9', headers }, '{ a }').then(
      () => expect.unreachable(),
      (reason) => reason,
    );
    expect(error.message).toMatch(/^The HTTP headers of this data source/);
    expect(error.message).not.toContain('canary');
  }
});

test('partial data with an error is an error', async () => {
  const { origin } = await serverForTest((_request, response) =>
    sendJson(response, { data: { a: [1] }, errors: [{ message: 'b is missing' }] }),
  );
  await expect(runOnce(graphql, { url: origin }, '{ a b }')).rejects.toThrow('b is missing');
});

test('private addresses are refused', async () => {
  const env = { http: createOutgoingHttp({ allowPrivate: [] }) };
  await expect(runOnce(graphql, { url: 'http://127.0.0.1/' }, '{ a }', { env })).rejects.toThrow("Can't query private addresses.");
  await expect(runOnce(graphql, { url: 'http://127.0.0.1/' }, 'mutation { a }', { env })).rejects.toThrow(readOnlyMessage);
});
