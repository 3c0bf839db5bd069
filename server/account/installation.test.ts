import { sessionApi } from '@telltale/domain/session/contract.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { demoPeople } from '../demo/people.ts';
import { createLogger } from '../platform/log.ts';
import { prepareInstallation } from '../start/installation.ts';
import { testApp, testSecretKey } from '../testing/test-app.ts';
import { forgetSetupDone } from './setup.ts';

const app = await testApp({ isEmpty: true });
const prepare = (env: Record<string, string> = {}) =>
  prepareInstallation({ databaseUrl: app.databaseUrl, config: readConfig(env), secretKey: testSecretKey, log: createLogger('silent') });
const named = { TELLTALE_ADMIN_EMAIL: 'Root@Example.com', TELLTALE_ADMIN_PASSWORD: 'first password' };

beforeEach(async () => {
  await sql`truncate users, setup restart identity cascade`.execute(app.ctx.db);
  forgetSetupDone();
});

describe('design 3: a first start', () => {
  test('without settings prints a code, and each start another', async () => {
    const [one, two] = [await prepare(), await prepare()];
    expect(one.setupCode).toMatch(/^\w{4}-\w{4}-\w{4}$/);
    expect(two.setupCode).not.toBe(one.setupCode);
    const fields = { name: 'A', email: 'a@example.com', password: 'a good password', org_name: 'O' };
    expect((await app.anonymous().json('POST', '/setup', { ...fields, code: one.setupCode })).status).toBe(403);
    expect((await app.anonymous().json('POST', '/setup', { ...fields, code: two.setupCode })).status).toBe(200);
    expect((await prepare()).setupCode).toBeUndefined();
  });

  test('TELLTALE_ADMIN_EMAIL and _PASSWORD create the first administrator, and there is no code', async () => {
    expect((await prepare(named)).setupCode).toBeUndefined();
    const client = app.anonymous();
    expect((await client.signIn('root@example.com', 'first password')).status).toBe(200);
    expect((await client.get(sessionApi.get)).user.permissions).toContain('super_admin');
    expect((await app.anonymous().fetch('/setup')).headers.get('location')).toBe('/');
  });

  test('TELLTALE_DEMO: its administrator has the name of a person', async () => {
    const [ada] = demoPeople(testSecretKey);
    const config = { ...readConfig({}), firstAdmin: ada };
    await prepareInstallation({ databaseUrl: app.databaseUrl, config, secretKey: testSecretKey, log: createLogger('silent') });
    const client = app.anonymous();
    await client.signIn(ada?.email ?? '', ada?.password ?? '');
    expect((await client.get(sessionApi.get)).user).toMatchObject({ name: 'Ada Mills' });
  });

  test('they change nothing later: a start cannot reset a password or add an administrator', async () => {
    await prepare(named);
    await prepare({ ...named, TELLTALE_ADMIN_PASSWORD: 'second password' });
    await prepare({ ...named, TELLTALE_ADMIN_EMAIL: 'other@example.com' });
    expect((await app.anonymous().signIn('root@example.com', 'second password')).status).toBe(400);
    const { rows } = await sql<{ count: number }>`select count(*) as count from users`.execute(app.ctx.db);
    expect(rows[0]?.count).toBe(1);
  });

  test('two starts at once create one administrator', async () => {
    await Promise.allSettled([prepare(named), prepare(named), prepare(named)]);
    const { rows } = await sql<{ count: number }>`select count(*) as count from users`.execute(app.ctx.db);
    expect(rows[0]?.count).toBe(1);
    expect((await app.anonymous().signIn('root@example.com', 'first password')).status).toBe(200);
  });

  test('half of the pair or a short password is named at the start', () => {
    expect(() => readConfig({ TELLTALE_ADMIN_EMAIL: 'a@b.c' })).toThrow(/go together/);
    expect(() => readConfig({ TELLTALE_ADMIN_PASSWORD: 'long enough' })).toThrow(/go together/);
    expect(() => readConfig({ ...named, TELLTALE_ADMIN_PASSWORD: 'short' })).toThrow(/at least 6/);
  });
});
