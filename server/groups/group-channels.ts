import type { GroupChannel } from '@telltale/domain/groups/contract.ts';
import type { ArrayListParams } from '@telltale/domain/lists/contract.ts';
import { recordEvent } from '../events/events.ts';
import type { UserCtx } from '../platform/context.ts';
import { invalid, notFound } from '../platform/errors.ts';
import { arrayOrPage } from '../platform/lists.ts';
import { deleteGroupChannel, insertGroupChannel, listGroupChannels } from './groups.store.ts';
import { getGroup } from './groups.ts';

export async function channelsOfGroup(ctx: UserCtx, id: number, params: ArrayListParams) {
  await getGroup(ctx, id);
  const channels = await listGroupChannels(ctx.db, id);
  return arrayOrPage(channels, params, ({ channel_id, channel_name }) => `${channel_id} ${channel_name}`);
}

export async function giveChannel(ctx: UserCtx, id: number, channelId: string): Promise<GroupChannel> {
  const { type, name } = await getGroup(ctx, id);
  if (type === 'builtin' && name === 'admin') throw invalid('Administrators see all channels.');
  return ctx.transaction(async (tx) => {
    const channel = await insertGroupChannel(tx.db, id, channelId);
    if (!channel) throw notFound('Channel');
    await recordEvent(tx, 'add_channel', 'group', id, { channel_id: channelId });
    return channel;
  });
}

export async function takeChannel(ctx: UserCtx, id: number, channelId: string): Promise<null> {
  await getGroup(ctx, id);
  await ctx.transaction(async (tx) => {
    await deleteGroupChannel(tx.db, id, channelId);
    await recordEvent(tx, 'remove_channel', 'group', id, { channel_id: channelId });
  });
  return null;
}
