import { type AccessObject, accessApi } from '@telltale/domain/admin/access-contract.ts';
import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { groupsApi } from '@telltale/domain/groups/contract.ts';
import { expect, test } from 'vitest';
import { testApp } from '../testing/test-app.ts';

const app = await testApp();
const admin = app.as(app.admin);
const readers = await app.make.group({ name: 'Readers' });
const reader = await app.make.user({ name: 'Rita', groups: [], group_ids: [readers.id] });
const owner = await app.make.user({ name: 'Olaf' });
const source = await app.make.dataSource({ groups: { [readers.id]: true } });
const query = await app.make.query({ data_source_id: source.id, user_id: owner.id, name: 'Pumps' });
await app.make.dashboard({ user_id: owner.id, name: 'Harbour', is_draft: false });
await admin.get(channelsApi.create, { body: { channel_id: 'quay' } });
await admin.get(groupsApi.save, { params: { id: readers.id }, body: { all_channels: false } });

const accessOf = async (user: { id: number }, object_type: AccessObject, name: string) => {
  const { objects } = await admin.get(accessApi.ofUser, { params: { id: user.id }, query: { object_type, q: name } as never });
  return Object.fromEntries(objects.results[0]?.actions.map(({ action, allowed, reason }) => [action, [allowed, reason]]) ?? []);
};

test('design 8.1: each decision names the clause that took it', async () => {
  expect(await accessOf(reader, 'data_source', source.name)).toMatchObject({
    view: [true, 'a group with the data source'],
    'run any text': [false, 'a group with full access to the data source'],
    administer: [false, 'administrator'],
  });
  expect(await accessOf(owner, 'query', 'Pumps')).toMatchObject({ edit: [true, 'owner'], archive: [true, 'owner'] });
  expect(await accessOf(app.admin, 'query', 'Pumps')).toMatchObject({ edit: [true, 'administrator'] });
  expect(await accessOf(reader, 'query', 'Pumps')).toMatchObject({
    view: [true, 'a group with the data source'],
    edit: [false, expect.stringContaining('owner')],
  });
  expect(await accessOf(reader, 'dashboard', 'Harbour')).toMatchObject({ view: [true, 'it is published'] });
  expect(await accessOf(reader, 'channel', 'quay')).toMatchObject({ view: [false, 'a group that sees the channel'] });
  expect(await accessOf(owner, 'channel', 'quay')).toMatchObject({ view: [true, expect.stringContaining('view_channel')] });
});

test('what the matrix says of a query is what the API answers', async () => {
  for (const user of [reader, owner, app.admin]) {
    const { view } = await accessOf(user, 'query', 'Pumps');
    expect((await app.as(user).fetch(`/api/queries/${query.id}`)).status).toBe(view?.[0] ? 200 : 403);
  }
});

test('permissions name the groups that give them, and a disabled account may nothing', async () => {
  const { permissions, groups } = await admin.get(accessApi.ofUser, { params: { id: reader.id } });
  expect(groups).toEqual([{ id: readers.id, name: 'Readers', all_channels: false }]);
  expect(permissions.find(({ permission }) => permission === 'view_query')).toMatchObject({
    allowed: true,
    reason: 'by the group Readers',
  });
  expect(permissions.find(({ permission }) => permission === 'admin')).toMatchObject({ allowed: false });
  await admin.json('POST', `/api/users/${reader.id}/disable`);
  expect(await accessOf(reader, 'query', 'Pumps')).toMatchObject({ view: [false, 'the account is disabled'] });
  expect((await admin.call(accessApi.ofUser, { params: { id: 999_999 } })).status).toBe(404);
});
