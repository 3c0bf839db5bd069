import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { channelsApi, devicesApi } from '@telltale/domain/channels/contract.ts';
import { commandsApi } from '@telltale/domain/commands/contract.ts';
import { dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { groupsApi } from '@telltale/domain/groups/contract.ts';
import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { expect, test } from 'vitest';
import { insertGrant } from '../access/grants.store.ts';
import { testApp } from './test-app.ts';

/** Security 20: every kind of object, read and changed by every kind of caller. */
const app = await testApp();
const admin = app.as(app.admin);
const full = await app.make.group({ name: 'Full' });
const viewOnly = await app.make.group({ name: 'View only' });
const elsewhere = await app.make.group({ name: 'Elsewhere' });
const inGroup = (id: number) => app.make.user({ groups: [], group_ids: [id] });
const [owner, granted, same, viewer, stranger] = [
  await inGroup(full.id),
  await inGroup(full.id),
  await inGroup(full.id),
  await inGroup(viewOnly.id),
  await inGroup(elsewhere.id),
];
await admin.get(groupsApi.save, { params: { id: elsewhere.id }, body: { all_channels: false } });
const source = await app.make.dataSource({ groups: { [full.id]: false, [viewOnly.id]: true } });
const query = await app.make.query({ data_source_id: source.id, user_id: owner.id });
const dashboard = await app.make.dashboard({ user_id: owner.id, is_draft: true });
await app.make.widget({ dashboard_id: dashboard.id, visualization_id: query.visualization_id });
for (const [type, id] of [['queries', query.id] as const, ['dashboards', dashboard.id] as const])
  await insertGrant(app.ctx.db, { type, id }, { access_type: 'modify', grantor: app.admin.id, grantee: granted.id });
const { channel_id } = await admin.get(channelsApi.create, { body: { channel_id: 'harbour' } });
await admin.get(devicesApi.create, { params: { id: channel_id }, body: { device_id: 'dev-1', device_name: 'D' } });
const alert = await app
  .as(owner)
  .get(alertsApi.create, { body: { name: 'A', query_id: query.id, options: { column: 'a', op: '>', value: 1 } } });
const command = await app.as(owner).get(commandsApi.create, {
  body: { name: 'Stop', channel_id, device_ids: ['dev-1'], payload: 'stop', mode: 'push', fport: 1 },
});
const ownKey = (await app.as(owner).get(queriesApi.get, { params: { id: query.id } })) as { api_key?: string };
const { api_key: token } = await app.as(owner).get(dashboardsApi.share, { params: { id: dashboard.id }, body: {} });

const callers = {
  owner: app.as(owner),
  granted: app.as(granted),
  same: app.as(same),
  viewer: app.as(viewer),
  stranger: app.as(stranger),
  admin,
  nobody: app.anonymous(),
  key: app.as({ api_key: ownKey.api_key ?? '' }),
  token: app.as({ api_key: token }),
};
type Caller = keyof typeof callers;
const names = Object.keys(callers) as Caller[];

/** The callers that get a 200; all others are refused with a 4xx. The changes can be repeated. */
const expected: [what: string, method: 'GET' | 'POST', path: string, body: object | undefined, allowed: Caller[]][] = [
  ['sees the data source', 'GET', `/api/data_sources/${source.id}`, undefined, ['owner', 'granted', 'same', 'viewer', 'admin']],
  [
    'changes the data source',
    'POST',
    `/api/data_sources/${source.id}`,
    { name: source.name, type: 'pg', options: { host: '203.0.113.1', dbname: 'x' } },
    ['admin'],
  ],
  ['sees the query', 'GET', `/api/queries/${query.id}`, undefined, ['owner', 'granted', 'same', 'viewer', 'admin', 'key']],
  ['changes the query', 'POST', `/api/queries/${query.id}`, { description: 'x' }, ['owner', 'granted', 'admin']],
  ['sees who has keys of the query', 'GET', `/api/queries/${query.id}/api_keys`, undefined, ['owner', 'admin']],
  ['sees the draft dashboard', 'GET', `/api/dashboards/${dashboard.id}`, undefined, ['owner', 'granted', 'admin']],
  ['changes the dashboard', 'POST', `/api/dashboards/${dashboard.id}`, { dashboard_filters_enabled: true }, ['owner', 'granted', 'admin']],
  ['sees the public dashboard by its token', 'GET', `/api/dashboards/public/${token}`, undefined, names],
  ['sees the channel', 'GET', `/api/channels/${channel_id}`, undefined, ['owner', 'granted', 'same', 'viewer', 'admin']],
  ['changes the channel', 'POST', `/api/channels/${channel_id}`, { channel_name: 'x' }, ['owner', 'granted', 'same', 'viewer', 'admin']],
  ['sees the device', 'GET', `/api/channels/${channel_id}/devices/dev-1`, undefined, ['owner', 'granted', 'same', 'viewer', 'admin']],
  ['sees the alert', 'GET', `/api/alerts/${alert.id}`, undefined, ['owner', 'granted', 'same', 'viewer', 'admin']],
  ['mutes the alert', 'POST', `/api/alerts/${alert.id}/mute`, {}, ['owner', 'admin']],
  ['sees the command', 'GET', `/api/downlink-commands/${command.id}`, undefined, ['owner', 'granted', 'same', 'viewer', 'admin']],
  [
    'sends the command',
    'POST',
    `/api/downlink-commands/${command.id}/send`,
    { preview: true },
    ['owner', 'granted', 'same', 'viewer', 'admin'],
  ],
  ['sees the group', 'GET', `/api/groups/${full.id}`, undefined, ['owner', 'granted', 'same', 'admin']],
  ['changes the group', 'POST', `/api/groups/${full.id}`, { name: 'Full' }, ['admin']],
  ['changes the account', 'POST', `/api/users/${owner.id}`, { name: 'Owner' }, ['owner', 'admin']],
  ['reads the audit log', 'GET', '/api/audit', undefined, ['admin']],
  ['reads the matrix of access', 'GET', `/api/users/${owner.id}/access`, undefined, ['admin']],
];

test.each(expected)('security 20: who %s', async (_, method, path, body, allowed) => {
  const seen: Caller[] = [];
  for (const name of names) {
    const { status } = await callers[name].json(method, path, body);
    expect([name, status < 300 || (status >= 400 && status < 500)]).toEqual([name, true]);
    if (status < 300) seen.push(name);
  }
  expect(seen).toEqual(names.filter((name) => allowed.includes(name)));
});
