import { describe, expect, test } from 'vitest';
import { rawRequest } from '../../testing/raw.ts';
import { testApp } from '../../testing/test-app.ts';

const app = await testApp();
const powerless = await app.make.user({ groups: [] });
const victim = await app.make.user();
const group = await app.make.group();

/** security 22: ways of writing an address that have bypassed access checks elsewhere. */
const spellings: [string, (path: string) => string][] = [
  ['a doubled slash in front', (path) => `/${path}`],
  ['a doubled slash inside', (path) => path.replace(/(.)\//, '$1//')],
  ['a dot segment', (path) => `/.${path}`],
  ['a dot segment inside', (path) => path.replace(/(.)\//, '$1/./')],
  ['a walk in and out', (path) => `/login/..${path}`],
  ['an encoded walk', (path) => `/login/%2e%2e${path}`],
  ['a walk behind a semicolon', (path) => `/login/..;${path}`],
  ['encoded slashes', (path) => `/${path.slice(1).replaceAll('/', '%2f')}`],
  ['one encoded slash', (path) => path.replace(/\/([^/]*)$/, '%2F$1')],
  ['twice encoded slashes', (path) => `/${path.slice(1).replaceAll('/', '%252f')}`],
  ['backslashes', (path) => `/${path.slice(1).replaceAll('/', '\\')}`],
  ['encoded letters', (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)],
  ['capitals', (path) => path.toUpperCase()],
  ['one capital', (path) => path.replace(/[a-z]/, (letter) => letter.toUpperCase())],
  ['a slash at the end', (path) => `${path}/`],
  ['two slashes at the end', (path) => `${path}//`],
  ['a dot at the end', (path) => `${path}.`],
  ['an extension', (path) => `${path}.json`],
  ['a static extension', (path) => `${path}.css`],
  ['a semicolon', (path) => `${path};.css`],
  ['a space at the end', (path) => `${path}%20`],
  ['a NUL at the end', (path) => `${path}%00`],
  ['a line feed at the end', (path) => `${path}%0a`],
  ['an encoded question mark', (path) => `${path}%3fx=1`],
  ['a hash', (path) => `${path}#/login`],
  ['a question mark', (path) => `${path}?/login`],
  ['an absolute address', (path) => `${app.origin}${path}`],
  ['another host', (path) => `http://evil.example${path}`],
];

const guarded = app.routes
  .filter((route) => route.needs !== 'anyone')
  .map(({ method, path, needs }) => {
    const known: Record<string, string> = { file: `${victim.id}.svg`, ...(path.startsWith('/api/groups') ? { id: String(group.id) } : {}) };
    const filled = path.replace(/:(\w+)/g, (_, name: string) => known[name] ?? String(victim.id));
    return { name: `${method} ${path}`, method, template: path, path: filled, isForAll: needs === 'signed_in' };
  });

const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  rawRequest(app.origin, path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'POST' ? { body: '{}' } : {}),
  });

describe('no spelling of an address opens a guarded route', () => {
  test.each(guarded)('$name', async ({ method, path, template, isForAll }) => {
    const wrong: string[] = [];
    for (const [name, spell] of [...spellings, ['the literal template', () => template] as const]) {
      const nobody = await ask(method, spell(path));
      const isClosed = nobody.status >= 400 && nobody.status < 500;
      const isSignIn = nobody.status === 302 && nobody.headers.location?.startsWith('/login');
      if (!isClosed && !isSignIn) wrong.push(`nobody, ${name}: ${nobody.status} ${nobody.text.slice(0, 80)}`);
      if (isForAll) continue;
      const known = await ask(method, spell(path), { authorization: `Key ${powerless.api_key}` });
      if (known.status < 400 || known.status >= 500) wrong.push(`powerless, ${name}: ${known.status} ${known.text.slice(0, 80)}`);
    }
    expect(wrong).toEqual([]);
  });

  test('headers of proxies and frameworks do not name another route or method', async () => {
    const misleading: Record<string, string>[] = [
      { 'x-original-url': '/login' },
      { 'x-rewrite-url': '/login' },
      { 'x-http-method-override': 'GET' },
      { 'x-forwarded-prefix': '/login' },
      { 'x-middleware-subrequest': 'middleware' },
      { 'x-user': 'admin', 'x-remote-user': 'admin', 'remote-user': 'admin', 'x-webauth-user': 'admin' },
    ];
    for (const headers of misleading) expect((await ask('GET', '/api/users', headers)).status).toBe(404);
    const overridden = await ask('POST', `/api/groups/${group.id}?_method=DELETE`, {
      'x-http-method-override': 'DELETE',
      authorization: `Key ${app.admin.api_key}`,
    });
    expect(JSON.parse(overridden.text)).toMatchObject({ id: group.id });
  });

  test('the right address still opens, also with a slash at the end', async () => {
    for (const path of ['/api/users', '/api/users/']) {
      expect((await ask('GET', path, { authorization: `Key ${app.admin.api_key}` })).status).toBe(200);
    }
  });
});
