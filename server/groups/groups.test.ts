import { defaultPermissions } from '@telltale/domain/access/permissions.ts';
import { groupsApi } from '@telltale/domain/groups/contract.ts';
import { sessionApi } from '@telltale/domain/session/contract.ts';
import { usersApi } from '@telltale/domain/users/contract.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';
import { setDisabled } from '../users/users.store.ts';
import { countAdmins } from './groups.store.ts';
import { builtInGroupId, replaceMemberships } from './groups.ts';

const app = await testApp();
const admin = app.as(app.admin);
const adminGroup = await builtInGroupId(app.ctx.db, 'admin');
const defaultGroup = await builtInGroupId(app.ctx.db, 'default');

describe('20: groups', () => {
  test('a new group is regular and may what the default group may', async () => {
    const group = await admin.get(groupsApi.create, { body: { name: ' Analysts ' } });
    expect(group).toMatchObject({ name: 'Analysts', type: 'regular', permissions: [...defaultPermissions] });
  });

  test('administrators see all of them, others their own', async () => {
    const [own, other] = [await app.make.group(), await app.make.group()];
    const user = await app.make.user({ group_ids: [own.id] });
    const ids = async (client: typeof admin) => ((await client.get(groupsApi.list)) as { id: number }[]).map((group) => group.id);
    expect((await ids(app.as(user))).sort()).toEqual([defaultGroup, own.id].sort());
    expect(await ids(admin)).toEqual(expect.arrayContaining([own.id, other.id, adminGroup]));
    expect((await app.as(user).call(groupsApi.get, { params: { id: own.id } })).status).toBe(200);
    expect((await app.as(user).call(groupsApi.get, { params: { id: other.id } })).status).toBe(403);
    expect((await app.as(user).call(groupsApi.members, { params: { id: other.id } })).status).toBe(403);
  });

  test('design 8: a bare array, or a page when one is asked for', async () => {
    expect(Array.isArray(await admin.get(groupsApi.list))).toBe(true);
    expect(await admin.get(groupsApi.list, { query: { page: 1, page_size: 1 } })).toMatchObject({ page: 1, page_size: 1, results: [{}] });
    expect((await admin.call(groupsApi.list, { query: { page: 1000 } })).status).toBe(400);
    expect(await admin.get(groupsApi.list, { query: { q: 'ADMIN', order: '-name' } })).toMatchObject([{ name: 'admin' }]);
  });

  test('A4: built-in groups are neither renamed nor deleted, and administrators keep all rights', async () => {
    for (const id of [adminGroup, defaultGroup]) {
      expect(await admin.call(groupsApi.save, { params: { id }, body: { name: 'x' } })).toMatchObject({
        status: 400,
        message: "Can't modify built-in groups.",
      });
      expect(await admin.call(groupsApi.remove, { params: { id } })).toMatchObject({
        status: 400,
        message: "Can't delete built-in groups.",
      });
    }
  });

  test('the permissions of the default group can be limited, those of the administrators cannot', async () => {
    expect(await admin.call(groupsApi.save, { params: { id: adminGroup }, body: { permissions: [] } })).toMatchObject({ status: 400 });
    const user = await app.make.user();
    const save = (permissions: readonly string[]) =>
      admin.call(groupsApi.save, { params: { id: defaultGroup }, body: { permissions: permissions as never } });
    try {
      expect((await save(defaultPermissions.filter((name) => name !== 'list_users'))).status).toBe(200);
      expect((await app.as(user).call(usersApi.list)).status).toBe(403);
      // Administrators are in the default group as well, and do not depend on it.
      expect((await admin.call(usersApi.list)).status).toBe(200);
      expect((await save(['admin'])).status).toBe(400);
      expect((await app.as(user).call(groupsApi.save, { params: { id: defaultGroup }, body: { permissions: [] } })).status).toBe(403);
    } finally {
      await save(defaultPermissions);
    }
  });

  test('an installation never loses its last administrator by a group that is changed or deleted', async () => {
    const { id } = await app.make.group({ permissions: [] });
    await sql`update groups set permissions = '{admin}' where id = ${id}`.execute(app.ctx.db);
    await sql`update memberships set group_id = ${id} where group_id = ${adminGroup}`.execute(app.ctx.db);
    const refusal = { status: 400, message: 'At least one enabled administrator must remain.' };
    try {
      expect(await admin.call(groupsApi.save, { params: { id }, body: { permissions: ['view_query'] } })).toMatchObject(refusal);
      expect(await admin.call(groupsApi.remove, { params: { id } })).toMatchObject(refusal);
      expect(await admin.call(groupsApi.removeMember, { params: { id, userId: app.admin.id } })).toMatchObject(refusal);
      expect((await admin.call(usersApi.list)).status).toBe(200);
    } finally {
      await sql`update memberships set group_id = ${adminGroup} where group_id = ${id}`.execute(app.ctx.db);
    }
  });

  test('security 19: no group is given the rights of an administrator, by any spelling', async () => {
    const { id } = await app.make.group({ permissions: [] });
    for (const permissions of [['admin'], ['super_admin'], ['Admin'], ['admin '], ['*'], 'admin', [['admin']], [null], { 0: 'admin' }]) {
      const reply = await admin.call(groupsApi.save, { params: { id }, body: { permissions: permissions as never } });
      expect([permissions, reply.status]).toEqual([permissions, 400]);
    }
    await admin.call(groupsApi.save, { params: { id }, body: { name: 'x', type: 'builtin', org_id: 5, id: adminGroup } as never });
    expect(await admin.get(groupsApi.get, { params: { id } })).toMatchObject({ id, type: 'regular', permissions: [] });
    await admin.call(groupsApi.create, { body: { name: 'admin', permissions: ['admin'], type: 'builtin' } as never });
    const twins = ((await admin.get(groupsApi.list, { query: { q: 'admin' } })) as { type: string; permissions: string[] }[]).filter(
      (group) => group.type === 'regular',
    );
    expect(twins.every((group) => !group.permissions.includes('admin'))).toBe(true);
    expect(await builtInGroupId(app.ctx.db, 'admin')).toBe(adminGroup);
  });

  test('a change of permissions acts on the next request of its members', async () => {
    const group = await app.make.group({ permissions: [] });
    const user = await app.make.user({ groups: [], group_ids: [group.id] });
    expect((await app.as(user).call(usersApi.list)).status).toBe(403);
    await admin.get(groupsApi.save, { params: { id: group.id }, body: { permissions: ['list_users', 'list_users'] } });
    expect((await app.as(user).call(usersApi.list)).status).toBe(200);
    expect((await app.as(user).get(sessionApi.get)).user.permissions).toEqual(['list_users']);
  });

  test('a deleted group is taken from its members', async () => {
    const group = await app.make.group();
    const user = await app.make.user({ groups: [], group_ids: [group.id] });
    expect(await admin.get(groupsApi.remove, { params: { id: group.id } })).toBeNull();
    expect((await app.as(user).get(sessionApi.get)).user).toMatchObject({ groups: [], permissions: [] });
    expect((await admin.call(groupsApi.get, { params: { id: group.id } })).status).toBe(404);
    expect((await admin.call(groupsApi.remove, { params: { id: group.id } })).status).toBe(404);
  });

  test.each([[{}], [{ name: '' }], [{ name: '  ' }], [{ name: 'n'.repeat(101) }], [{ name: 5 }], [{ name: null }]])(
    '%j is no group',
    async (body) => {
      expect((await admin.call(groupsApi.create, { body: body as { name: string } })).status).toBe(400);
    },
  );
});

describe('20: members', () => {
  test('adding is idempotent, removing is not: who is no member is a 404', async () => {
    const [group, user] = [await app.make.group(), await app.make.user()];
    const add = () => admin.call(groupsApi.addMember, { params: { id: group.id }, body: { user_id: user.id } });
    const remove = () => admin.call(groupsApi.removeMember, { params: { id: group.id, userId: user.id } });
    expect((await add()).body.groups).toEqual(expect.arrayContaining([defaultGroup, group.id]));
    expect((await add()).status).toBe(200);
    expect(await admin.get(groupsApi.members, { params: { id: group.id } })).toHaveLength(1);
    expect([(await remove()).status, (await remove()).status]).toEqual([200, 404]);
  });

  test('unknown groups and people are 404, nonsense is 400', async () => {
    const group = await app.make.group();
    const add = (id: number, user_id: unknown) => admin.call(groupsApi.addMember, { params: { id }, body: { user_id: user_id as number } });
    expect((await add(999_999, app.admin.id)).status).toBe(404);
    expect((await add(group.id, 999_999)).status).toBe(404);
    for (const id of [0, -1, 2_147_483_648, 'x', null, {}, undefined]) expect([id, (await add(group.id, id)).status]).toEqual([id, 400]);
  });

  test('members are listed with disabled ones, without keys', async () => {
    const group = await app.make.group();
    const [user, disabled] = [await app.make.user({ group_ids: [group.id] }), await app.make.user({ group_ids: [group.id] })];
    await admin.get(usersApi.disable, { params: { id: disabled.id } });
    const text = await (await app.as(user).fetch(`/api/groups/${group.id}/members`)).text();
    expect((JSON.parse(text) as { id: number }[]).map((member) => member.id).sort()).toEqual([user.id, disabled.id].sort());
    expect(text).not.toMatch(/api_key|password_|sealed|hash/);
  });

  test('nobody takes themselves out of a built-in group', async () => {
    for (const id of [adminGroup, defaultGroup]) {
      expect((await admin.call(groupsApi.removeMember, { params: { id, userId: app.admin.id } })).status).toBe(400);
    }
  });

  test('two administrators who remove each other at the same moment: one of them stays', async () => {
    const other = await app.make.user({ groups: ['admin', 'default'] });
    for (let round = 0; round < 5; round++) {
      const ways = [
        () => app.as(other).call(groupsApi.removeMember, { params: { id: adminGroup, userId: app.admin.id } }),
        () => admin.call(groupsApi.removeMember, { params: { id: adminGroup, userId: other.id } }),
        () => admin.call(usersApi.save, { params: { id: other.id }, body: { group_ids: [defaultGroup] } }),
        () => app.as(other).call(usersApi.disable, { params: { id: app.admin.id } }),
      ];
      await Promise.all(ways.map((way) => way()));
      expect(await app.ctx.transaction((tx) => countAdmins(tx.db))).toBeGreaterThan(0);
      for (const id of [app.admin.id, other.id]) {
        await setDisabled(app.ctx.db, id, false);
        await replaceMemberships(app.ctx.db, id, [adminGroup, defaultGroup]);
      }
    }
  });
});
