import { addressOf } from '@telltale/domain/endpoint.ts';
import { describe, expect, test } from 'vitest';
import { randomKey } from '../../platform/secrets.ts';
import type { TestClient } from '../client.ts';
import { app, type Call, callers, type Expectations, everybody, names, otherQuery, plain, query } from './callers.ts';
import { deviceRoutes } from './devices.ts';
import { peopleRoutes } from './people.ts';
import { questionRoutes } from './questions.ts';
import { systemRoutes } from './system.ts';

/** The callers of each route (security 20). A route that is not in here fails the test below. */
const tables = [systemRoutes, peopleRoutes, questionRoutes, deviceRoutes];
const expectations: Expectations = Object.assign({}, ...tables);

const routes = app.routes.map((route) => ({ method: route.method, path: route.path, name: `${route.method} ${route.path}` }));

async function answerTo(client: TestClient, route: (typeof routes)[number], call: Call, headers: Record<string, string> = {}) {
  const response = await client.json(
    route.method,
    addressOf(route.path, call.params, undefined),
    route.method === 'GET' ? undefined : call.body,
    headers,
  );
  return { status: response.status, text: await response.text() };
}

describe('every route, every kind of caller (security 20)', () => {
  test('no route is without an expectation, and no expectation without a route', () => {
    expect(routes.map((route) => route.name).sort()).toEqual(tables.flatMap((table) => Object.keys(table)).sort());
  });

  test.each(routes)('$name lets in exactly who is expected', async (route) => {
    const { answers, call = () => ({}), key } = expectations[route.name] ?? everybody(0);
    const seen: number[] = [];
    for (const name of names) {
      const answer = await answerTo(callers[name], route, await call());
      seen.push(answer.status);
      // A revoked address of a shared dashboard is open to no account.
      const isAddress = route.path.startsWith('/api/dashboards/public/:token');
      if (answer.status === 404 && name === 'anonymous' && route.path.startsWith('/api/') && !isAddress)
        expect(answer.text).toContain('Please login');
      if (answer.status >= 400 && route.path.startsWith('/api/')) expect(JSON.parse(answer.text)).toHaveProperty('message');
    }
    expect(Object.fromEntries(names.map((name, i) => [name, seen[i]]))).toEqual(
      Object.fromEntries(names.map((name, i) => [name, answers[i]])),
    );

    // A query's key opens its routes on its own query; elsewhere, and for another query, it counts as anonymous.
    const { status, text } = await answerTo(app.as(query), route, await call());
    expect(status).toBe(key ?? answers[0]);
    if (key === 404) expect(text).not.toContain('Please login');
    expect((await answerTo(app.as(otherQuery), route, await call())).status).toBe(answers[0]);
    expect((await answerTo(app.as({ api_key: randomKey() }), route, await call())).status).toBe(answers[0]);
  });

  test('2: exactly the routes that name a query say what its key may do, as the contract does', () => {
    const named = app.routes.filter((route) => /\/queries\/:id\b/.test(route.path));
    const stated = named.map((route) => [`${route.method} ${route.path}`, route.readers?.includes('query_key') ?? false] as const);
    const keyed = Object.entries(expectations).flatMap(([name, { key }]) => (key === undefined ? [] : [[name, key !== 403] as const]));
    expect(Object.fromEntries(keyed)).toEqual(Object.fromEntries(stated));
  });
});

describe('which of two credentials counts (design 8)', () => {
  test('a key wins over the cookie, and needs no CSRF token', async () => {
    const browser = await app.signedIn(app.admin);
    const answer = await browser.fetch('/api/session', { headers: { authorization: `Key ${plain.api_key}` } });
    expect(await answer.json()).toMatchObject({ user: { id: plain.id } });
    const write = await browser.fetch(`/api/users/${plain.id}`, {
      method: 'POST',
      headers: { authorization: `Key ${plain.api_key}`, 'content-type': 'application/json' },
      body: '{"name":"By key"}',
    });
    expect(write.status).toBe(200);
    expect(write.headers.getSetCookie()).toEqual([]);
  });

  test.each([
    ['an unknown key', { authorization: `Key ${randomKey()}` }, ''],
    ['a bare unknown key', { authorization: randomKey() }, ''],
    ['an empty-handed key', { authorization: 'Key x' }, ''],
    ['an unknown bearer token', { authorization: 'Bearer tt.1.99999999999999.AAAA' }, ''],
    ['an empty bearer token', { authorization: 'Bearer x' }, ''],
    ['an unknown key in the address', {}, `?api_key=${randomKey()}`],
    ['two keys in the address', {}, `?api_key=${app.admin.api_key}&api_key=${app.admin.api_key}`],
  ])('%s beside a valid cookie is nobody, never the owner of the cookie', async (_, headers, query) => {
    const browser = await app.signedIn(app.admin);
    const answer = await browser.fetch(`/api/session${query}`, { headers });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('Please login');
  });

  test('the key of a user works in the header with and without its word, and in the address', async () => {
    for (const authorization of [`Key ${plain.api_key}`, `key   ${plain.api_key}`, plain.api_key]) {
      expect((await app.anonymous().fetch('/api/session', { headers: { authorization } })).status).toBe(200);
    }
    expect((await app.anonymous().fetch(`/api/session?api_key=${plain.api_key}`)).status).toBe(200);
  });

  test('Basic is for a proxy in front, not for us: the cookie still counts', async () => {
    const browser = await app.signedIn(plain);
    expect((await browser.fetch('/api/session', { headers: { authorization: 'Basic YTpi' } })).status).toBe(200);
  });
});
