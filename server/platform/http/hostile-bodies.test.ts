import { sessionApi } from '@telltale/domain/session/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { testApp } from '../../testing/test-app.ts';

const app = await testApp();
const admin = app.as(app.admin);
const victim = await app.make.user();
const group = await app.make.group();

const nest = (open: string, inner: string, close: string, levels = 10_000) => open.repeat(levels) + inner + close.repeat(levels);
/** security 31 and 32: every shape of JSON. */
const shapes: [string, string][] = [
  ['an array', '[]'],
  ['an array of arrays', '[[],[null],{}]'],
  ['a number', '5'],
  ['a huge number', '1e999'],
  ['a string', '"text"'],
  ['null', 'null'],
  ['true', 'true'],
  ['arrays 10,000 deep', nest('[', '', ']')],
  ['objects 10,000 deep', nest('{"a":', '1', '}')],
  ['fields 10,000 deep', `{"name":${nest('[', '', ']')},"email":${nest('{"a":', '1', '}')},"password":${nest('[', '', ']')}}`],
  ['__proto__', '{"__proto__":{"polluted":true,"permissions":["admin"]},"name":"x"}'],
  ['__proto__ deeper', '{"name":"x","options":{"__proto__":{"polluted":true}}}'],
  ['constructor.prototype', '{"constructor":{"prototype":{"polluted":true}},"name":"x"}'],
  ['fields that are objects', '{"name":{"$ne":null},"email":{"$gt":""},"password":{"length":10},"user_id":{"toString":"1"},"code":{}}'],
  ['fields that are lists', '{"name":["a"],"email":["a@b.c"],"password":["123456"],"user_id":[1],"code":["A"]}'],
  ['numbers out of range', '{"user_id":9007199254740993,"group_ids":[2147483648,-1,1e300],"id":-1}'],
  ['a thousand keys', `{${Array.from({ length: 1000 }, (_, i) => `"k${i}":${i}`).join()}}`],
  ['a name of 100,000 characters', `{"${'k'.repeat(100_000)}":{}}`],
  ['twice the same key', '{"name":"a","name":5}'],
];

const posts = app.routes
  .filter((route) => route.method === 'POST')
  .map((route) => ({ ...route, isRaw: 'raw' in route && route.raw === true }))
  .map(({ path, isRaw }) => ({
    path,
    /** Devices send raw bytes, which are not read before the key is known. */
    refusal: isRaw ? 401 : 400,
    /** Anything but an object counts as an empty one there (design 6: upstream's clients send anything), and the query does not exist. */
    takesAnything: path === '/api/queries/:id/results',
    address: () =>
      path.replace(/:(\w+)/g, (_, name) =>
        name === 'token' ? 'x'.repeat(43) : String(path.startsWith('/api/groups') ? group.id : victim.id),
      ),
  }));

const send = (address: string, body: string) =>
  admin.fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

describe('every POST takes any JSON without falling over', () => {
  test.each(posts)('POST $path', async ({ path, address }) => {
    for (const [name, body] of shapes) {
      await sql`delete from attempts`.execute(app.ctx.db);
      const answer = await send(address(), body);
      const text = await answer.text();
      expect([name, answer.status < 500 ? 'below 500' : `${answer.status} ${text}`]).toEqual([name, 'below 500']);
      if (answer.status >= 400) {
        // A refused execution says so as a job, too (1.1).
        // A device gets a code beside the sentence; assistants read JSON-RPC.
        const { message, error, ...rest } = JSON.parse(text) as { message?: string; error?: { message: string } };
        const others = new Set(['job', 'code', ...(path === '/mcp' ? ['jsonrpc', 'id'] : [])]);
        expect(Object.keys(rest).filter((name) => !others.has(name))).toEqual([]);
        expect((message ?? error?.message ?? '').length).toBeLessThan(1000);
        expect(text).not.toMatch(/node_modules|\.ts:|stack/);
      }
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    }
  });

  test.each(posts)('POST $path refuses U+0000 anywhere', async ({ address, refusal, takesAnything }) => {
    const hidden = [
      '{"name":"a\\u0000b","email":"a\\u0000@b.c","password":"123456\\u0000"}',
      '{"a\\u0000":1}',
      '["\\u0000"]',
      '"\\u0000"',
      '{"x":{"y":[{"z":"\\u0000"}]}}',
      nest('[', '"\\u0000"', ']', 100_000),
    ];
    for (const body of hidden.filter((each) => !takesAnything || each.startsWith('{'))) {
      const { status } = await send(address(), body);
      // Forms refuse the long body unread.
      expect([body.slice(0, 40), status === 413 && body.length > 65_536 ? refusal : status]).toEqual([body.slice(0, 40), refusal]);
    }
  });

  test('afterwards the accounts are what they were', async () => {
    expect((await admin.get(usersApi.get, { params: { id: app.admin.id } })).is_disabled).toBe(false);
    expect((await app.anonymous().signIn(app.admin.email, app.admin.password)).status).toBe(200);
    const { user } = await app.as({ api_key: await app.make.keyOf(app.admin.id) }).get(sessionApi.get);
    expect(user.permissions).toContain('admin');
  });
});

describe('U+0000 outside of bodies', () => {
  test.each(['/api/users?q=a%00', '/api/users?a%00=b', '/api/users?order=%00', '/api/groups?q=%00'])('%s is a 400', async (path) => {
    expect((await admin.fetch(path)).status).toBe(400);
  });

  test.each([
    '/api/users/%00',
    '/api/users/1%00',
    '/api/jobs/%00',
    '/avatars/%00.svg',
    '/invite/%00',
    '/%00',
    '/login?next=%00',
    '/api/session?api_key=%00',
  ])('%s is refused or harmless, never a failure', async (path) => {
    expect((await app.anonymous().fetch(path)).status).toBeLessThan(500);
    expect((await admin.fetch(path)).status).toBeLessThan(500);
  });
});
