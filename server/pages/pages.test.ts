import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { createApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { createLogger } from '../platform/log.ts';
import { createServices } from '../services.ts';
import { TestClient } from '../testing/client.ts';
import { rawRequest } from '../testing/raw.ts';
import { testApp, testSecretKey } from '../testing/test-app.ts';

const shell = '<!doctype html><title>the shell</title>';
const script = `console.log(${'1'.repeat(3000)})`;
const folder = await mkdtemp(join(tmpdir(), 'telltale-pages-'));
const root = join(folder, 'web');
await mkdir(join(root, 'static'), { recursive: true });
await mkdir(join(root, 'help'));
await writeFile(join(folder, 'secret.txt'), 'CANARY');
await writeFile(join(folder, 'secret.css'), 'CANARY');
for (const [name, body] of Object.entries({
  'index.html': shell,
  'favicon.svg': '<svg/>',
  'signed-out.css': 'body{}',
  'static/main-abc123.js': script,
  'static/plain.js': 'plain',
  'help/index.html': '<title>help</title>',
  'notes.md': 'CANARY: no type, not served',
  '.env': 'CANARY',
})) {
  await writeFile(join(root, name), body);
}
await writeFile(join(root, 'static/main-abc123.js.gz'), gzipSync(script));
await writeFile(join(root, 'static/main-abc123.js.br'), brotliCompressSync(script));
await symlink(join(folder, 'secret.css'), join(root, 'static/linked.css'));

const app = await testApp();
const { services, close } = createServices({
  databaseUrl: app.databaseUrl,
  config: readConfig({ TELLTALE_LOG: 'silent' }),
  secretKey: testSecretKey,
  log: createLogger('silent'),
  name: 'pages',
  connections: 3,
});
const { server } = createApp(services, root);
const origin = await server.listen({ host: '127.0.0.1', port: 0 });
afterAll(async () => {
  await server.close();
  await close();
  await rm(folder, { recursive: true, force: true });
});
const raw = (path: string, headers: Record<string, string> = {}, method = 'GET') => rawRequest(origin, path, { headers, method });
const key = { authorization: `Key ${app.admin.api_key}` };

describe('built files', () => {
  test('are served by their exact address, with type, to everybody', async () => {
    const answer = await raw('/static/plain.js');
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([200, 'plain', 'text/javascript; charset=utf-8']);
    expect((await raw('/favicon.svg')).headers['content-type']).toBe('image/svg+xml');
    expect((await raw('/help/index.html')).text).toContain('help');
  });

  test('hashed names are kept for ever, others are asked for again', async () => {
    expect((await raw('/static/plain.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await raw('/favicon.svg')).headers['cache-control']).toBe('no-cache');
  });

  test('an unchanged one is a 304 without a body, however the tag is written', async () => {
    const { etag = '' } = (await raw('/favicon.svg')).headers;
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await raw('/favicon.svg', { 'if-none-match': tag });
      expect([tag, answer.status, answer.text, answer.headers.etag]).toEqual([tag, 304, '', etag]);
    }
    expect((await raw('/favicon.svg', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('the smallest form the browser takes is sent', async () => {
    const read = async (accepted: string) => {
      const response = await fetch(`${origin}/static/main-abc123.js`, { headers: { 'accept-encoding': accepted } });
      return [response.headers.get('content-encoding'), await response.text()];
    };
    expect(await read('gzip, deflate, br, zstd')).toEqual(['br', script]);
    expect(await read('gzip')).toEqual(['gzip', script]);
    expect((await read('identity'))[1]).toBe(script);
    expect((await raw('/static/main-abc123.js', { 'accept-encoding': 'br' })).headers.vary).toContain('Accept-Encoding');
    expect(brotliDecompressSync(brotliCompressSync(script)).equals(gunzipSync(gzipSync(script)))).toBe(true);
  });

  test('a form that is refused by q=0 is not sent', async () => {
    const { headers } = await raw('/static/main-abc123.js', { 'accept-encoding': 'br;q=0, gzip;q=0.5' });
    expect(headers['content-encoding']).toBe('gzip');
    expect((await raw('/static/main-abc123.js', { 'accept-encoding': 'br;q=0, gzip;q=0.000' })).headers['content-encoding']).toBe(
      'identity',
    );
  });

  test('HEAD tells the same without the body', async () => {
    const answer = await raw('/favicon.svg', {}, 'HEAD');
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([200, '', 'image/svg+xml']);
  });

  test('nothing is written to an address of a file', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await raw('/favicon.svg', key, method)).status).toBe(404);
  });
});

describe('security 28: nothing but the list', () => {
  const ups = [
    '../',
    '..%2f',
    '%2e%2e/',
    '%2e%2e%2f',
    '..\\',
    '..%5c',
    '%252e%252e%252f',
    '....//',
    '..;/',
    '.%00./',
    '%c0%ae%c0%ae/',
    '..%u2215',
  ];
  const shapes = ups.flatMap((up) => [
    `/${up}secret.txt`,
    `/static/${up}${up}secret.txt`,
    `/static/${up.repeat(8)}etc/passwd`,
    `/static/${up.repeat(8)}proc/self/environ`,
  ]);

  test.each([
    ...shapes,
    '/static/linked.css',
    '/static',
    '/static/',
    '/static/.',
    '/.env',
    '/notes.md',
    '/index.html.gz',
    '/static/main-abc123.js.gz',
    '/static/main-abc123.js.br',
    '//etc/passwd',
    '/file:///etc/passwd',
    '/static/main-abc123.js%00.css',
    '/static//plain.js',
    '/STATIC/plain.js',
    '/static/plain.js/',
    '/constructor',
    '/__proto__',
    '/toString',
  ])('%s gives nothing away', async (path) => {
    for (const headers of [{}, key]) {
      const answer = await raw(path, headers);
      expect(answer.text).not.toMatch(/CANARY|root:|PATH=/);
      expect(answer.status).toBeLessThan(500);
      if (answer.status === 200) expect(answer.text).toBe(shell);
    }
  });
});

describe('pages of the console', () => {
  test('server-behaviour 1.1: nobody is sent to the sign-in, and comes back to where they wanted', async () => {
    const answer = await raw('/queries/1?p_a=1&b=ü'.replace('ü', '%C3%BC'));
    expect(answer.status).toBe(302);
    const next = new URL(answer.headers.location ?? '', origin).searchParams.get('next');
    expect(next).toBe(`${origin}/queries/1?p_a=1&b=%C3%BC`);
    const client = new TestClient(origin);
    await client.signIn(app.admin.email, app.admin.password);
    const back = await client.fetch(answer.headers.location ?? '');
    expect(back.headers.get('location')).toBe('/queries/1?p_a=1&b=%C3%BC');
  });

  test('Q2: the home page is come back to as well', async () => {
    for (const path of ['/', '/?a=1']) {
      const { location = '' } = (await raw(path)).headers;
      expect(location).toBe(`/login?next=${encodeURIComponent(origin + path)}`);
      const client = new TestClient(origin);
      await client.signIn(app.admin.email, app.admin.password);
      expect((await client.fetch(location)).headers.get('location')).toBe(path);
    }
  });

  test('a forged host is not where one comes back to', async () => {
    const { location = '' } = (await raw('/alerts', { host: 'evil.example' })).headers;
    const client = new TestClient(origin);
    await client.signIn(app.admin.email, app.admin.password);
    expect((await client.fetch(location)).headers.get('location')).toBe('/alerts');
  });

  test('signed-in users get the shell at every page address', async () => {
    const client = new TestClient(origin);
    await client.signIn(app.admin.email, app.admin.password);
    for (const path of ['/', '/queries', '/queries/1/source', '/dashboards/5-my-board', '/users/me', '/nothing/like/this']) {
      const response = await client.fetch(path);
      expect([path, response.status, await response.text()]).toEqual([path, 200, shell]);
      expect(response.headers.get('cache-control')).toBe('no-cache');
    }
  });

  test('the shell itself is not there for nobody, under its own name either', async () => {
    for (const path of ['/index.html', '/%69ndex.html']) {
      const answer = await raw(path);
      expect(answer.text).not.toContain('the shell');
    }
  });

  test('what looks like a file or a call is a 404, not the shell', async () => {
    for (const path of ['/static/gone.js', '/robots.txt', '/api/nothing', '/console/api/nothing', '/favicon.ico']) {
      expect([path, (await raw(path, key)).status]).toEqual([path, 404]);
    }
  });

  test('signing out is not kept by a cache: the shell is asked for again', async () => {
    const client = new TestClient(origin);
    await client.signIn(app.admin.email, app.admin.password);
    const etag = (await client.fetch('/queries')).headers.get('etag') ?? '';
    await client.fetch('/logout');
    expect((await client.fetch('/queries', { headers: { 'if-none-match': etag } })).status).toBe(302);
  });
});

describe('pages for readers by key (server-behaviour 1.4, 16.6)', () => {
  const embed = '/embed/query/1/visualization/1';

  test('the shell is there for anybody, and may stand inside other sites', async () => {
    for (const path of [
      '/public/dashboards/abc',
      '/public/dashboards/%3Cscript%3E',
      embed,
      `${embed}?api_key=unknown`,
      `${embed}?api_key=${app.admin.api_key}&hide_header`,
    ]) {
      const answer = await raw(path);
      expect([path, answer.status, answer.text]).toEqual([path, 200, shell]);
      expect(answer.headers['content-security-policy']).toContain('frame-ancestors *');
      expect(answer.headers['x-frame-options']).toBeUndefined();
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  test('no other page, call or file may', async () => {
    for (const path of [
      '/',
      '/queries',
      '/login',
      '/favicon.svg',
      '/api/session',
      '/api/queries/1',
      '/embed',
      '/public/dashboards',
      '/public/dashboards/a/b',
      '/dashboards/1',
      '/embed/query/1',
      '/nothing',
    ]) {
      const answer = await raw(path, key);
      expect([path, answer.headers['x-frame-options']]).toEqual([path, 'sameorigin']);
      expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'self'");
    }
  });

  test('security 26: the secret address of a shared dashboard is written down nowhere', async () => {
    await raw('/public/dashboards/SECRETTOKEN', key);
    await raw(`${embed}?api_key=SECRETTOKEN`, key);
    const { rows } = await sql`select * from events`.execute(app.ctx.db);
    expect(JSON.stringify(rows)).not.toContain('SECRETTOKEN');
  });
});
