import { DataSource, dataSourcesApi, type FullDataSource, groupSourcesApi } from '@telltale/domain/data-sources/contract.ts';
import { groupsApi } from '@telltale/domain/groups/contract.ts';
import { describe, expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const admin = app.as(app.admin);
const sourcesOf = async (id: number) => DataSource.array().parse(await admin.get(groupSourcesApi.list, { params: { id } }));
const groupsOf = async (id: number) => ((await admin.get(dataSourcesApi.get, { params: { id } })) as FullDataSource).groups;

describe('20: sources of a group', () => {
  test('added with full access, narrowed, widened and taken away again', async () => {
    const [group, source] = [await app.make.group(), await app.make.dataSource({ groups: {} })];
    const params = { id: group.id, dataSourceId: source.id };
    expect(await admin.get(groupSourcesApi.add, { params: { id: group.id }, body: { data_source_id: source.id } })).toMatchObject({
      id: source.id,
      view_only: false,
    });
    expect((await admin.get(groupSourcesApi.change, { params, body: { view_only: true } })).view_only).toBe(true);
    expect(await sourcesOf(group.id)).toMatchObject([{ id: source.id, view_only: true }]);
    expect(await groupsOf(source.id)).toEqual({ [group.id]: true });
    expect((await admin.get(groupSourcesApi.change, { params, body: { view_only: false } })).view_only).toBe(false);
    expect(await admin.get(groupSourcesApi.remove, { params })).toBeNull();
    expect(await sourcesOf(group.id)).toEqual([]);
  });

  test('adding twice changes nothing, not even the access', async () => {
    const group = await app.make.group();
    const source = await app.make.dataSource({ groups: { [group.id]: true } });
    const added = await admin.get(groupSourcesApi.add, { params: { id: group.id }, body: { data_source_id: source.id } });
    expect(added.view_only).toBe(true);
    expect(await sourcesOf(group.id)).toHaveLength(1);
  });

  test('the access shown is the group’s, not the administrator’s', async () => {
    const group = await app.make.group();
    await app.make.dataSource({ groups: { [group.id]: true } });
    expect((await sourcesOf(group.id))[0]?.view_only).toBe(true);
  });

  test('missing objects are 404, invalid bodies are 400', async () => {
    const [group, source] = [await app.make.group(), await app.make.dataSource({ groups: {} })];
    const unknown = 999_999;
    const add = (id: number, body: unknown) =>
      admin.call(groupSourcesApi.add, { params: { id }, body: body as { data_source_id: number } });
    expect((await add(unknown, { data_source_id: source.id })).status).toBe(404);
    expect((await add(group.id, { data_source_id: unknown })).status).toBe(404);
    expect((await add(group.id, {})).status).toBe(400);
    expect((await add(group.id, { data_source_id: 'x' })).status).toBe(400);
    const params = { id: group.id, dataSourceId: source.id };
    expect((await admin.call(groupSourcesApi.change, { params, body: { view_only: true } })).status).toBe(404);
    expect((await admin.call(groupSourcesApi.remove, { params })).status).toBe(404);
    await add(group.id, { data_source_id: source.id });
    for (const view_only of ['yes', 1, null, undefined]) {
      expect((await admin.call(groupSourcesApi.change, { params, body: { view_only: view_only as never } })).status).toBe(400);
    }
  });

  test('only administrators', async () => {
    const group = await app.make.group();
    const source = await app.make.dataSource({ groups: { [group.id]: true } });
    const member = app.as(await app.make.user({ group_ids: [group.id] }));
    const params = { id: group.id, dataSourceId: source.id };
    const replies = [
      await member.call(groupSourcesApi.list, { params: { id: group.id } }),
      await member.call(groupSourcesApi.add, { params: { id: group.id }, body: { data_source_id: source.id } }),
      await member.call(groupSourcesApi.change, { params, body: { view_only: false } }),
      await member.call(groupSourcesApi.remove, { params }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(await groupsOf(source.id)).toEqual({ [group.id]: true });
  });

  test('a deleted group takes its links along', async () => {
    const group = await app.make.group();
    const source = await app.make.dataSource({ groups: { [group.id]: false } });
    await admin.get(groupsApi.remove, { params: { id: group.id } });
    expect(await groupsOf(source.id)).toEqual({});
  });
});
