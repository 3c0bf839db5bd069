import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { testApp } from '../../testing/test-app.ts';

const app = await testApp();
const user = await app.make.user();
const { rows: columns } = await sql<{ column_name: string; data_type: string }>`
  select distinct column_name, data_type from information_schema.columns where table_schema = 'console'`.execute(app.ctx.db);

/** Every column of every table, with a value that an attacker would want. */
const loot: Record<string, unknown> = Object.fromEntries(
  columns.map(({ column_name, data_type }) => {
    if (data_type === 'boolean') return [column_name, true];
    if (/int|numeric|double/.test(data_type)) return [column_name, 1];
    if (data_type === 'ARRAY') return [column_name, ['admin', 'super_admin']];
    if (/json/.test(data_type)) return [column_name, { admin: true }];
    return [column_name, /_at$|until|time/.test(column_name) ? '2000-01-01T00:00:00Z' : 'admin'];
  }),
);
const more = {
  group_ids: undefined,
  groups: [1],
  permissions: ['admin', 'super_admin'],
  is_admin: true,
  isAdmin: true,
  role: 'admin',
  via: 'key',
  kind: 'user',
};

/** The rows about users and permissions, which only an administrator may change. */
async function rights(): Promise<string> {
  const parts = await Promise.all(
    ['users', 'groups', 'memberships', 'organizations', 'setup'].map((table) =>
      sql<{ text: string }>`
        select coalesce(string_agg((to_jsonb(t) - 'active_at' - 'updated_at')::text, '' order by (to_jsonb(t))::text), '') as text
        from ${sql.table(table)} as t where ${table === 'users' ? sql`id <> ${user.id}` : sql`true`}`.execute(app.ctx.db),
    ),
  );
  return JSON.stringify(parts.map(({ rows }) => rows));
}

describe('security 19: fields that a route does not take', () => {
  const writes = app.routes.filter((route) => route.method === 'POST' && route.path.startsWith('/api/'));

  test.each(writes.map((route) => [route.path] as const))('POST %s by a plain user moves no rights', async (path) => {
    const before = await rights();
    const { rows: own } =
      await sql`select to_jsonb(users) - 'active_at' - 'updated_at' - 'name' - 'email' - 'is_email_verified' - 'search_text' as row from users where id = ${user.id}`.execute(
        app.ctx.db,
      );
    const address = path.replace(/:\w+/g, String(user.id));
    for (const body of [
      { ...loot, ...more },
      { ...loot, ...more, name: 'Me', email: user.email, password: undefined, old_password: undefined, id: undefined },
      [loot],
      { settings: loot, user: loot },
    ]) {
      const answer = await app.as(user).json('POST', address, body);
      expect(answer.status).toBeLessThan(500);
      // Regenerating the own key is the purpose of that route.
      if (path.endsWith('regenerate_api_key') && answer.status === 200)
        user.api_key = ((await answer.json()) as { api_key: string }).api_key;
    }
    expect(await rights()).toBe(before);
    if (path.endsWith('regenerate_api_key')) return;
    const { rows: after } =
      await sql`select to_jsonb(users) - 'active_at' - 'updated_at' - 'name' - 'email' - 'is_email_verified' - 'search_text' as row from users where id = ${user.id}`.execute(
        app.ctx.db,
      );
    expect(after).toEqual(own);
  });

  test('and answers tell no column that is ours alone (security 26)', async () => {
    const hidden = /password_hash|api_key_hash|api_key_sealed|token_hash|code_hash|bound_to|process_id|dedupe_key/;
    for (const route of app.routes.filter(({ method, path }) => method === 'GET' && path.startsWith('/api/') && path !== '/api/live')) {
      const text = await (await app.as(app.admin).fetch(route.path.replace(/:\w+/g, '1'))).text();
      expect([route.path, hidden.exec(text)?.[0]]).toEqual([route.path, undefined]);
    }
  });
});
