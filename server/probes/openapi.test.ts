import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const text = await (await app.as(app.admin).fetch('/api/openapi.json')).text();
interface Operation {
  operationId: string;
  parameters: { name: string; in: string }[];
  security: object[];
  requestBody?: { content: object };
  responses: Record<string, { content?: object; $ref?: string }>;
}
const document = JSON.parse(text) as {
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; responses: object; securitySchemes: Record<string, { in: string }> };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
);

describe('the API as an OpenAPI document', () => {
  test('has a server, and an id of its own for each operation', () => {
    expect(document.servers).toEqual([{ url: app.origin }]);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('names shapes once, and every reference leads somewhere', () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['Query', 'Dashboard', 'Alert', 'Fault', 'Device', 'User']),
    );
    const references = new Set(text.match(/#\/components\/[a-z]+\/\w+/gi));
    expect(references.size).toBeGreaterThan(50);
    for (const reference of references) {
      const [, , part = '', name = ''] = reference.split('/');
      expect((document.components as Record<string, Record<string, unknown>>)[part]?.[name], reference).toBeDefined();
    }
    expect(text).not.toContain('$defs');
    // Before shapes were named the document had 533 KB for fewer calls.
    expect(text.length).toBeLessThan(500_000);
  });

  test('every part of an address in braces is a parameter', () => {
    for (const { name, path, operation } of operations) {
      const named = Array.from(path.matchAll(/\{(\w+)\}/g), ([, each = '']) => each);
      expect(
        operation.parameters.filter((each) => each.in === 'path').map((each) => each.name),
        name,
      ).toEqual(named);
    }
  });

  test('tells files, refusals, the key in the query string and what devices call', () => {
    const found = operations.find(({ name }) => name === 'get /api/queries/{id}/results.{ext}');
    if (!found) throw new Error('The file of a result is not documented.');
    const { responses, security } = found.operation;
    expect(Object.keys(responses['200']?.content ?? {})).toEqual([
      'application/json',
      'text/csv',
      'text/tab-separated-values',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ]);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '400', '401', '403', '404', '409', '413', '429']));
    expect(security).toEqual([{ key: [] }, { keyInQuery: [] }, { session: [] }]);
    expect(document.components.securitySchemes.keyInQuery).toMatchObject({ in: 'query', name: 'api_key' });
    const up = document.paths['/api/v1/{channel}/devices/{device}/up']?.post;
    expect(Object.keys(up?.requestBody?.content ?? {})).toContain('application/json');
    expect(up?.security).toEqual([{ deviceKey: [] }]);
  });
});
