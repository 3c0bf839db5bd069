import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sessionApi } from '@telltale/domain/session/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { sql } from 'kysely';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { createServices } from '../services.ts';
import { TestClient } from '../testing/client.ts';
import { testApp, testSecretKey } from '../testing/test-app.ts';
import { createLogger } from './log.ts';

const folder = await mkdtemp(join(tmpdir(), 'telltale-log-'));
const shown: string[] = [];
const screen = vi.spyOn(process.stderr, 'write').mockImplementation((text) => shown.push(String(text)) > 0);
const log = createLogger('debug', { role: 'web' }, folder);
const app = await testApp();
const { services, close } = createServices({
  databaseUrl: app.databaseUrl,
  config: readConfig({}),
  secretKey: testSecretKey,
  log,
  name: 'logged',
  connections: 3,
});
const { server } = createApp(services, '');
const origin = await server.listen({ host: '127.0.0.1', port: 0 });
afterAll(async () => {
  screen.mockRestore();
  await server.close();
  await close();
  await rm(folder, { recursive: true, force: true });
});
const lines = async () => {
  await new Promise<void>((resolve) => log.flush(() => resolve()));
  return readFile(join(folder, 'telltale.log'), 'utf8');
};

describe('security 26: log entries', () => {
  test('no password, key, cookie or token, whatever happens to them', async () => {
    const user = await app.make.user();
    const client = new TestClient(origin);
    const secrets = [user.password, user.api_key, 'CANARY-wrong-password', 'CANARY-new-password', 'CANARY-key'];
    await client.signIn(user.email, 'CANARY-wrong-password');
    await client.signIn(user.email, user.password);
    const { access_token } = await client.get(sessionApi.token);
    secrets.push(client.cookies.get('session') ?? '', client.cookies.get('csrf_token') ?? '', access_token);
    await client.call(usersApi.save, {
      params: { id: user.id },
      body: { password: 'CANARY-new-password', old_password: 'CANARY-wrong-password' },
    });
    await client.get(usersApi.save, { params: { id: user.id }, body: { password: 'CANARY-new-password', old_password: user.password } });
    await client.fetch(`/api/session?api_key=${user.api_key}`);
    await client.fetch('/api/session?api_key=CANARY-key');
    const { reset_link = '' } = await new TestClient(origin, { authorization: `Key ${app.admin.api_key}` }).get(usersApi.resetPassword, {
      params: { id: user.id },
    });
    secrets.push(app.admin.api_key, reset_link.split('/')[2] ?? '');
    await client.fetch(reset_link);
    await new TestClient(origin).json('POST', reset_link, { password: 'CANARY-new-password' });
    await client.fetch('/api/nothing/CANARY-key');

    const text = await lines();
    expect(text).toContain('a sign-in failed');
    expect(text).toContain('/reset/:token');
    for (const secret of secrets)
      expect([secret, secret.length > 5, `${text}${shown.join('')}`.includes(secret)]).toEqual([secret, true, false]);
  });

  test('security 27: a failure of ours is logged with its cause, and told without', async () => {
    const client = new TestClient(origin, { authorization: `Key ${app.admin.api_key}` });
    await sql`alter table events rename to events_away`.execute(app.ctx.db);
    const answer = await client.fetch('/api/events');
    await sql`alter table events_away rename to events`.execute(app.ctx.db);
    expect([answer.status, await answer.json()]).toEqual([500, { message: 'Internal Server Error' }]);
    const line = (await lines())
      .split('\n')
      .find((one) => one.includes(answer.headers.get('x-request-id') ?? 'none') && one.includes('a request failed'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ route: '/api/events', err: { code: '42P01' } });
    expect(shown.join('')).toContain('a request failed');
  });

  test('what strangers write cannot draw on the screen or begin a line of its own', () => {
    shown.length = 0;
    log.warn({ err: new Error('first\n00:00:00 error web: forged\u001b[2J\u009b31m'), text: 'a\r\nb' }, 'odd\u0007');
    expect(shown.join('')).toMatch(/^[^\n]*\n$/);
    expect([...shown.join('').trimEnd()].every((character) => character >= ' ' && !/[\u007f-\u009f]/.test(character))).toBe(true);
  });
});
