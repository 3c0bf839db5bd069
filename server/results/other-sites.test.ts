import { describe, expect, inject, test } from 'vitest';
import { readConfig } from '../config.ts';
import { rawRequest } from '../testing/raw.ts';
import { runSaved } from '../testing/run-query.ts';
import { targetDatabase } from '../testing/target-database.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

const env = { DATABASE_URL: inject('postgres').url };
const target = await targetDatabase();
const listed = 'https://wall.example.com';
const open = await testApp({ env: { ...env, TELLTALE_CORS_ORIGINS: `${listed}, https://other.example.com:8443` } });
const closed = await testApp({ env });

async function make(app: TestApp) {
  const source = await app.make.dataSource({ options: target.options });
  const query = await app.make.query({ data_source_id: source.id, user_id: app.admin.id, query: 'select 1 as n' });
  const { stop } = await app.startWorker();
  const { query_result } = await runSaved(app.as(app.admin), query.id);
  await stop();
  const key = `?api_key=${query.api_key}`;
  const own = `/api/queries/${query.id}/results`;
  const byPerson = `/api/query_results/${query_result?.id}.csv?api_key=${app.admin.api_key}`;
  return [`${own}${key}`, `${own}.csv${key}`, `${own}/${query_result?.id}.json${key}`, byPerson];
}
const ask = (app: TestApp, path: string, origin: string, method = 'GET') => rawRequest(app.origin, path, { method, headers: { origin } });

describe('server-behaviour 1.6: pages of other sites', () => {
  test('of listed ones read results, never with cookies', async () => {
    for (const path of await make(open)) {
      const { status, headers } = await ask(open, path, listed);
      expect(status, path).toBe(200);
      expect(headers).toMatchObject({ 'access-control-allow-origin': listed, 'access-control-allow-credentials': 'false' });
      expect(headers.vary).toMatch(/origin/i);
      const before = await ask(open, path, listed, 'OPTIONS');
      expect(before.status).toBe(204);
      expect(before.headers).toMatchObject({
        'access-control-allow-origin': listed,
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'Content-Type, Authorization',
      });
      for (const method of ['GET', 'OPTIONS']) {
        expect((await ask(open, path, 'https://evil.example.com', method)).headers['access-control-allow-origin']).toBeUndefined();
      }
    }
    const refused = await ask(open, '/api/queries/1/results?api_key=wrong', listed);
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([404, listed]);
  });

  test('read nothing else, and nothing at all where none is listed', async () => {
    for (const path of ['/api/users', '/api/session', '/api/queries/1', '/', '/ping']) {
      expect((await ask(open, path, listed)).headers['access-control-allow-origin'], path).toBeUndefined();
    }
    for (const path of await make(closed)) {
      expect((await ask(closed, path, listed)).headers['access-control-allow-origin']).toBeUndefined();
      expect((await ask(closed, path, listed, 'OPTIONS')).status).toBe(404);
    }
  });

  test('an invalid site is reported at start', () => {
    const origins = (text: string) => readConfig({ TELLTALE_CORS_ORIGINS: text }).corsOrigins;
    expect(origins('*')).toEqual(['*']);
    for (const text of ['example.com', 'https://example.com/', 'https://example.com/page', 'null']) {
      expect(() => origins(text)).toThrow('TELLTALE_CORS_ORIGINS must list sites');
    }
  });
});
