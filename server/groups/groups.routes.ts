import { groupsApi } from '@telltale/domain/groups/contract.ts';
import type { Http } from '../platform/http/http.ts';
import { channelsOfGroup, giveChannel, takeChannel } from './group-channels.ts';
import { createGroup, getGroup, listGroups, removeGroup, saveGroup } from './groups.ts';

export function groupRoutes(http: Http): void {
  http.on(groupsApi.list, (ctx, { query }) => listGroups(ctx, query));
  http.on(groupsApi.create, (ctx, { body }) => createGroup(ctx, body));
  http.on(groupsApi.get, (ctx, { params }) => getGroup(ctx, params.id));
  http.on(groupsApi.save, (ctx, { params, body }) => saveGroup(ctx, params.id, body));
  http.on(groupsApi.remove, (ctx, { params }) => removeGroup(ctx, params.id));
  http.on(groupsApi.channels, (ctx, { params, query }) => channelsOfGroup(ctx, params.id, query));
  http.on(groupsApi.addChannel, (ctx, { params, body }) => giveChannel(ctx, params.id, body.channel_id));
  http.on(groupsApi.removeChannel, (ctx, { params }) => takeChannel(ctx, params.id, params.channelId));
}
