import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const ready = async () => {
  const response = await app.anonymous().fetch('/readyz');
  return { status: response.status, ...((await response.json()) as { ready: boolean; checks: Record<string, string> }) };
};
const announce = async (role: string, secondsAgo = 0) => {
  const { rows } = await sql<{ id: string }>`
    insert into processes (id, role, hostname, pid, heartbeat_at)
    values (gen_random_uuid(), ${role}, 'test', 1, now() - make_interval(secs => ${secondsAgo})) returning id`.execute(app.ctx.db);
  if (role === 'ingest')
    await sql`insert into brokers (process_id, hostname, private_port) values (${rows[0]?.id}, 'test', 1)`.execute(app.ctx.db);
};

describe('design 3: probes', () => {
  beforeEach(async () => {
    await sql`delete from processes`.execute(app.ctx.db);
    for (const role of ['web', 'worker', 'ingest']) await announce(role);
  });

  test('ping and healthz answer without a sign-in', async () => {
    expect(await (await app.anonymous().fetch('/ping')).text()).toBe('PONG.');
    expect(await (await app.anonymous().fetch('/healthz')).json()).toEqual({ status: 'alive' });
  });

  test('ready when the database, its migrations and every role are there', async () => {
    expect(await ready()).toEqual({
      status: 200,
      ready: true,
      checks: { database: 'ok', migrations: 'ok', broker: 'ok', web: 'ok', worker: 'ok', ingest: 'ok' },
    });
  });

  test.each(['web', 'worker', 'ingest'])('not ready without a %s, and it says which', async (role) => {
    await sql`delete from processes where role = ${role}`.execute(app.ctx.db);
    expect(await ready()).toMatchObject({ status: 503, ready: false, checks: { [role]: 'not running' } });
  });

  test('a balancer may ask for one check alone', async () => {
    await sql`delete from processes where role = 'worker'`.execute(app.ctx.db);
    const statusOf = async (only: string) => (await app.anonymous().fetch(`/readyz?only=${only}`)).status;
    expect([await statusOf('database'), await statusOf('worker'), await statusOf('constructor')]).toEqual([200, 503, 503]);
  });

  test.each(['web', 'worker', 'ingest'])('not ready within five seconds of the last sign of life of a %s', async (role) => {
    await sql`update processes set heartbeat_at = now() - interval '4.9 seconds' where role = ${role}`.execute(app.ctx.db);
    expect(await ready()).toMatchObject({ status: 503, checks: { [role]: 'not running' } });
    await sql`update processes set heartbeat_at = '-infinity' where role = ${role}`.execute(app.ctx.db);
    expect((await ready()).status).toBe(503);
    await announce(role);
    expect((await ready()).status).toBe(200);
  });

  test('not ready while no broker listens, unless it is switched off', async () => {
    await sql`delete from brokers`.execute(app.ctx.db);
    expect(await ready()).toMatchObject({ status: 503, checks: { broker: 'not listening' } });
    const without = await testApp({ env: { MQTT_PORT: '0' } });
    const { checks } = (await (await without.anonymous().fetch('/readyz')).json()) as { checks: object };
    expect(checks).not.toHaveProperty('broker');
  });

  test('one dead copy beside a living one is no fault', async () => {
    await announce('worker', 60);
    expect((await ready()).status).toBe(200);
  });

  test('not ready while a migration is missing', async () => {
    const { rows } = await sql<{
      name: string;
    }>`delete from migration where name = (select max(name) from migration) returning name`.execute(app.ctx.db);
    expect(await ready()).toMatchObject({ status: 503, checks: { migrations: 'not complete' } });
    await sql`insert into migration (name) values (${rows[0]?.name})`.execute(app.ctx.db);
  });

  test('a living worker announces itself, and takes its leave when it stops', async () => {
    await sql`delete from processes where role = 'worker'`.execute(app.ctx.db);
    const worker = await app.startWorker();
    expect((await ready()).checks.worker).toBe('ok');
    await worker.stop();
    expect((await ready()).checks.worker).toBe('not running');
  });
});

describe('design 8: /metrics', () => {
  const status = async (headers: Record<string, string>) => (await app.anonymous().fetch('/metrics', { headers })).status;

  test('is there for loopback, in the format of Prometheus', async () => {
    const response = await app.anonymous().fetch('/metrics');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')]);
    const text = await response.text();
    expect(text).toMatch(/^# HELP /m);
    expect(text).toContain('telltale_http_request_duration_seconds_bucket{');
    expect(text).toContain('process_cpu_user_seconds_total');
  });

  test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])('what a proxy passes on with %s is not loopback', async (name) => {
    const user = await app.make.user();
    expect(await status({ [name]: '127.0.0.1' })).toBe(403);
    expect(await status({ [name]: '127.0.0.1', authorization: `Key ${user.api_key}` })).toBe(403);
    expect(await status({ [name]: '203.0.113.7', authorization: `Key ${app.admin.api_key}` })).toBe(200);
  });

  test('addresses of callers do not become labels: a flood of unknown paths adds one line', async () => {
    for (let i = 0; i < 20; i++) await app.anonymous().fetch(`/nowhere/${i}`);
    for (let i = 0; i < 20; i++) await app.as(app.admin).fetch(`/api/users/${i}`);
    const text = await (await app.anonymous().fetch('/metrics')).text();
    expect(text).not.toMatch(/nowhere|users\/1/);
    expect(text).toContain('route="/api/users/:id"');
  });
});

describe('the API page and document', () => {
  interface OpenApi {
    openapi: string;
    paths: Record<
      string,
      Record<
        string,
        {
          parameters: { name: string; in: string; required: boolean; schema: object }[];
          responses: Record<string, object>;
          requestBody?: object;
          security: object[];
        }
      >
    >;
  }
  const document = async () => (await (await app.as(app.admin).fetch('/api/openapi.json')).json()) as OpenApi;
  const endpoints = app.routes.filter((route) => 'reply' in route);

  test('every endpoint is in the document, with its path parameters, and nothing else', async () => {
    const { openapi, paths } = await document();
    expect(openapi).toBe('3.1.0');
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    // Routes for devices are documented beside the contract; openapi.test.ts checks them.
    expect(listed.filter((each) => !each.includes('/api/v1/')).sort()).toEqual(
      endpoints.map((route) => `${route.method} ${route.path.replace(/(.)\/$/, '$1').replace(/:(\w+)/g, '{$1}')}`).sort(),
    );
    for (const [path, methods] of Object.entries(paths)) {
      for (const operation of Object.values(methods)) {
        const named = operation.parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name);
        expect([path, named.sort()]).toEqual([path, [...path.matchAll(/{(\w+)}/g)].map((match) => match[1]).sort()]);
      }
    }
  });

  test('its schemas are JSON schemas: every reference leads somewhere, every type is one', async () => {
    const text = JSON.stringify(await document());
    const root = JSON.parse(text) as Record<string, unknown>;
    const types = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null', 'apiKey']);
    const visit = (value: unknown, key: string): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, item] of Object.entries(value)) {
        if (name === 'type' && typeof item === 'string' && key !== 'properties') expect(types).toContain(item);
        if (name === '$ref')
          expect(
            String(item)
              .split('/')
              .slice(1)
              .reduce<unknown>((at, step) => (at as Record<string, unknown>)?.[step], root),
          ).toBeDefined();
        visit(item, name);
      }
    };
    visit(root.paths, 'paths');
    expect(text).not.toContain('"$schema"');
  });

  test('each operation states its security, none only where anyone may call', async () => {
    const { paths } = await document();
    for (const route of endpoints) {
      const operation = paths[route.path.replace(/(.)\/$/, '$1').replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()];
      expect([route.path, operation?.security.length === 0]).toEqual([route.path, route.needs === 'anyone']);
    }
  });

  test('the page lists them all, without a script inside it', async () => {
    const response = await app.as(app.admin).fetch('/api/docs');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const text = await response.text();
    for (const route of endpoints) expect(text).toContain(`id="${route.method}${route.path}"`);
    expect(text).not.toMatch(/<script(?! src="\/[\w.-]+"><\/script>)|onload=|javascript:/i);
  });

  test('a theme that is none is not written into the page', async () => {
    const response = await app.as(app.admin).fetch('/api/docs', { headers: { cookie: 'theme="><script>x' } });
    expect(await response.text()).not.toContain('<script>x');
  });
});
