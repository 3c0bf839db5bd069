import { randomBytes } from 'node:crypto';
import { nobody } from '@telltale/domain/access/identity.ts';
import { afterAll, inject } from 'vitest';
import { createFirstAdmin, forgetSetupDone } from '../account/setup.ts';
import { createApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { ExecutorPool } from '../executor/pool.ts';
import { jobDefinitions } from '../jobs.ts';
import { type Ctx, createCtx } from '../platform/context.ts';
import type { JobDefinition } from '../platform/jobs/define.ts';
import { startJobRunner } from '../platform/jobs/runner.ts';
import { watchJobs } from '../platform/jobs/watch.ts';
import { createLogger } from '../platform/log.ts';
import { joinRegistry } from '../platform/process-registry.ts';
import { createServices } from '../services.ts';
import { TestClient } from './client.ts';
import { type Makers, makers, password, passwordHash } from './makers.ts';
import { cloneDatabase, type TestPostgres } from './postgres.ts';

export interface TestAppOptions {
  /** Settings, or what makes them of the address of the database. */
  env?: Record<string, string> | ((databaseUrl: string) => Record<string, string>);
  /** Without a first administrator, as on a first start. */
  isEmpty?: boolean;
  /** Another server than the one of the whole run. */
  postgres?: Pick<TestPostgres, 'url' | 'superuserUrl'>;
}

export interface TestApp {
  origin: string;
  databaseUrl: string;
  ctx: Ctx;
  make: Makers;
  routes: ReturnType<typeof createApp>['routes'];
  /** A client without credentials. */
  anonymous(): TestClient;
  /** A client with an API key. */
  as(user: { api_key: string }): TestClient;
  /** A client with a browser session. */
  signedIn(user: { email: string; password: string }): Promise<TestClient>;
  admin: { id: number; email: string; password: string; api_key: string };
  /** Runs jobs in this process until the file ends. */
  startWorker(extra?: JobDefinition[], executors?: number): Promise<{ stop(): Promise<void> }>;
}

export const testSecretKey = 'a-key-for-tests-only-0123456789-abcdefghijklmnop';

/** The whole server over real HTTP on its own copy of a real database. */
export async function testApp({ env = {}, isEmpty = false, postgres = inject('postgres') }: TestAppOptions = {}): Promise<TestApp> {
  const database = await cloneDatabase(postgres, `test_${randomBytes(8).toString('hex')}`);
  const config = readConfig({ TELLTALE_LOG: 'silent', ...(typeof env === 'function' ? env(database.url) : env) });
  const log = createLogger(config.logLevel);
  const { services, close } = createServices({
    databaseUrl: database.url,
    config,
    secretKey: testSecretKey,
    log,
    name: 'test',
    connections: 20,
  });
  forgetSetupDone();
  const jobWatch = watchJobs(database.url, services.db, log);
  const http = createApp({ ...services, jobWatch }, '');
  const origin = await http.server.listen({ host: '127.0.0.1', port: 0 });
  const ctx = createCtx({ ...services, jobWatch }, nobody);
  const make = makers(ctx);
  const admin = isEmpty ? { id: 0, email: '', password: '', api_key: '' } : await firstAdmin(ctx, make);
  const closers: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const stop of closers.reverse()) await stop();
    await http.server.close();
    await jobWatch.stop();
    await close();
    await database.drop();
  });
  return {
    origin,
    databaseUrl: database.url,
    ctx,
    make,
    routes: http.routes,
    admin,
    anonymous: () => new TestClient(origin),
    as: (user) => new TestClient(origin, { authorization: `Key ${user.api_key}` }),
    async signedIn(user) {
      const client = new TestClient(origin);
      const response = await client.signIn(user.email, user.password);
      if (response.status !== 200) throw new Error(`Sign-in answered ${response.status}: ${await response.text()}`);
      return client;
    },
    async startWorker(extra = [], largest = 4) {
      const executors = new ExecutorPool({ filesFolder: config.filesFolder, allowPrivate: config.allowPrivate }, log, largest);
      const entry = await joinRegistry(services.db, 'worker', [], log);
      const runner = startJobRunner({
        services,
        databaseUrl: database.url,
        entry,
        definitions: [...jobDefinitions(executors), ...extra],
        singletons: [],
      });
      let isStopped = false;
      const stop = async () => {
        if (isStopped) return;
        isStopped = true;
        await runner.stop();
        await executors.close();
        await entry.stop();
      };
      closers.push(stop);
      return { stop };
    },
  };
}

async function firstAdmin(ctx: Ctx, make: Makers): Promise<TestApp['admin']> {
  const email = 'admin@example.com';
  const password_hash = await passwordHash();
  const id = await ctx.transaction((tx) => createFirstAdmin(tx, { name: 'admin', email, password_hash, org_name: 'Example' }));
  return { id, email, password, api_key: await make.keyOf(id) };
}
