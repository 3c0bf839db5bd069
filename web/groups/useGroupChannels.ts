import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { groupsApi } from '@telltale/domain/groups/contract.ts';
import { useList, useWrite } from '../api/query.ts';
import { notifyWithUndo } from '../ui/notifyWithUndo.tsx';

export const useGroupChannels = (id: number) =>
  useList(groupsApi.channels, { order: 'channel_name', params: { id }, remember: 'group_channels' });

const reads = [groupsApi.channels, channelsApi.list];

export const useAddGroupChannel = () => useWrite(groupsApi.addChannel, { refresh: reads, failed: false });

export function useRemoveGroupChannel(groupId: number, channel: { channel_id: string; channel_name: string }) {
  const putBack = useWrite(groupsApi.addChannel, { refresh: reads });
  return useWrite(groupsApi.removeChannel, {
    refresh: reads,
    failed: 'Failed to remove channel from group.',
    onDone: () =>
      notifyWithUndo('success', `${channel.channel_name} has been removed from the group.`, () =>
        putBack.mutate({ params: { id: groupId }, body: { channel_id: channel.channel_id } }),
      ),
  });
}
