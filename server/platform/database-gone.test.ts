import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { createServices } from '../services.ts';
import { TestClient } from '../testing/client.ts';
import { tcpProxy } from '../testing/tcp-proxy.ts';
import { testApp, testSecretKey } from '../testing/test-app.ts';
import { quickest, until } from '../testing/until.ts';
import { defineJob, type JobDefinition } from './jobs/define.ts';
import { findJob } from './jobs/queue.ts';
import { startJobRunner } from './jobs/runner.ts';
import { createLogger } from './log.ts';
import { joinRegistry } from './process-registry.ts';
import { endSilentConnections } from './silent-connections.ts';

const app = await testApp();
const proxy = await tcpProxy(app.databaseUrl);
const log = createLogger('silent');
const { services, pool, close } = createServices({
  databaseUrl: proxy.url,
  config: readConfig({ TELLTALE_LOG: 'silent', MQTT_PORT: '0' }),
  secretKey: testSecretKey,
  log,
  name: 'behind the proxy',
  connections: 5,
});
const { server } = createApp(services, '');
const origin = await server.listen({ host: '127.0.0.1', port: 0 });
afterAll(async () => {
  await proxy.mend();
  await server.close();
  await close();
  await proxy.stop();
});

const client = new TestClient(origin, { authorization: `Key ${app.admin.api_key}` });
const statusOf = async (path: string) => (await client.fetch(path)).status;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const eventually = <T>(read: () => Promise<T>, wanted: T) => until(read, (seen) => seen === wanted);
const asAll = async (role: 'web' | 'worker' | 'ingest') =>
  sql`insert into processes (id, role, hostname, pid, heartbeat_at) values (gen_random_uuid(), ${role}, 'test', 1, now() + interval '1 hour')`.execute(
    app.ctx.db,
  );
for (const role of ['web', 'worker', 'ingest'] as const) await asAll(role);

describe('while the database is away', () => {
  test('calls are a 503 that says so, the process stays alive, and all of it comes back', async () => {
    expect(await statusOf('/api/users')).toBe(200);
    expect(await statusOf('/readyz')).toBe(200);
    await proxy.cut();

    for (const [method, path, body] of [
      ['GET', '/api/users', undefined],
      ['GET', '/api/session', undefined],
      ['POST', '/api/groups', { name: 'x' }],
      ['GET', '/some/page', undefined],
    ] as const) {
      const answer = await client.json(method, path, body);
      expect({ path, status: answer.status, body: await answer.json() }).toEqual({
        path,
        status: 503,
        body: { message: expect.stringContaining('database is not available') },
      });
      expect(answer.headers.get('x-request-id')).toBeTruthy();
      // A balancer can give the next attempt to another process only over a new connection.
      expect(answer.headers.get('connection')).toBe('close');
    }
    expect((await new TestClient(origin).signIn(app.admin.email, app.admin.password)).status).toBe(503);
    const ready = await new TestClient(origin).fetch('/readyz');
    expect({ status: ready.status, body: await ready.json() }).toEqual({
      status: 503,
      body: { ready: false, checks: { database: 'not reachable' } },
    });
    for (const path of ['/ping', '/healthz']) expect((await new TestClient(origin).fetch(path)).status).toBe(200);

    await proxy.mend();
    expect(await eventually(() => statusOf('/readyz'), 200)).toBe(200);
    expect(await statusOf('/api/users')).toBe(200);
    expect((await new TestClient(origin).signIn(app.admin.email, app.admin.password)).status).toBe(200);
  });

  test('connections that the server ended are replaced: nothing but a moment of 503', async () => {
    const kill = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'telltale behind the proxy' and datname = current_database()`.execute(
        app.ctx.db,
      );
    for (let round = 0; round < 3; round++) {
      const calls = Array.from({ length: 10 }, () => statusOf('/api/users'));
      await kill();
      expect((await Promise.all(calls)).every((status) => status === 200 || status === 503)).toBe(true);
    }
    expect(await eventually(() => statusOf('/api/users'), 200)).toBe(200);
  });

  test('a database that only falls silent is not ready either, within five seconds', async () => {
    proxy.freeze();
    const took = await quickest(5000, async () => async () => {
      expect((await new TestClient(origin).fetch('/readyz')).status).toBe(503);
    });
    expect(took).toBeLessThan(5000);
    await proxy.cut();
    await proxy.mend();
    expect(await eventually(() => statusOf('/readyz'), 200)).toBe(200);
  });

  test('connections of a silent database are ended: calls are a 503 long before the limit of a statement', async () => {
    const stopChecks = endSilentConnections(pool, proxy.url, log, { busyMs: 200, answerWithinMs: 1000, lookEveryMs: 50 });
    expect(await statusOf('/api/users')).toBe(200);
    proxy.freeze();
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.fetch('/api/users')));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(503));
    await proxy.mend();
    expect(await eventually(() => statusOf('/api/users'), 200)).toBe(200);
    stopChecks();
  });

  test('a statement that is only slow keeps its connection', async () => {
    const stopChecks = endSilentConnections(pool, proxy.url, log, { busyMs: 50, answerWithinMs: 20_000, lookEveryMs: 20 });
    const { rows } = await sql`select 1 as n from pg_sleep(1.5)`.execute(services.db);
    expect(rows).toEqual([{ n: 1 }]);
    stopChecks();
  });
});

describe('a worker while the database is away', () => {
  test('jobs that ended meanwhile are reported once the database is back, and the next jobs run', async () => {
    const gate = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const slow = defineJob({
      name: 'test.slow',
      queue: 'default',
      payload: z.object({}),
      run: async () => {
        started.resolve();
        await gate.promise;
        return 'ended in the dark';
      },
    });
    const quick = defineJob({ name: 'test.quick', queue: 'default', payload: z.object({}), run: async () => 'quick' });
    const definitions = [slow, quick] as JobDefinition[];
    const entry = await joinRegistry(services.db, 'worker', [], log);
    const runner = startJobRunner({ services, databaseUrl: proxy.url, entry, definitions, singletons: [] });
    const id = await app.ctx.enqueue(slow, {});
    await started.promise;
    await proxy.cut();
    gate.resolve();
    await wait(1500);
    await proxy.mend();
    expect(await eventually(async () => (await findJob(app.ctx.db, id))?.status, 3)).toBe(3);
    expect(await findJob(app.ctx.db, id)).toMatchObject({ result: 'ended in the dark' });
    const next = await app.ctx.enqueue(quick, {});
    expect(await eventually(async () => (await findJob(app.ctx.db, next))?.status, 3)).toBe(3);
    await runner.stop();
    await entry.stop();
  });
});
