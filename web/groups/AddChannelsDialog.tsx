import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { groupsApi } from '@telltale/domain/groups/contract.ts';
import { call } from '../api/call.ts';
import { itemsOf } from '../api/itemsOf.ts';
import { SelectItemsDialog } from '../ui/SelectItemsDialog.tsx';
import { useAddGroupChannel } from './useGroupChannels.ts';

/** Every matching channel, and whether the group has it already. */
async function findOffers(groupId: number, q: string, signal: AbortSignal) {
  const [all, taken] = await Promise.all([
    call(channelsApi.list, { query: { q } }, { signal }),
    call(groupsApi.channels, { params: { id: groupId } }, { signal }),
  ]);
  const takenIds = new Set(itemsOf(taken).map(({ channel_id }) => channel_id));
  return itemsOf(all).map(({ channel_id, channel_name }) => ({ channel_id, channel_name, isTaken: takenIds.has(channel_id) }));
}

export default function AddChannelsDialog({ groupId, onClose }: { groupId: number; onClose: () => void }) {
  const add = useAddGroupChannel();
  return (
    <SelectItemsDialog
      title="Add Channels"
      placeholder="Search channels..."
      stagedTitle="New Channels"
      find={(term, signal) => findOffers(groupId, term, signal)}
      keyOf={({ channel_id }) => channel_id}
      draw={({ channel_name }) => channel_name}
      isTaken={({ isTaken }) => isTaken}
      save={({ channel_id }) => add.mutateAsync({ params: { id: groupId }, body: { channel_id } })}
      onClose={onClose}
    />
  );
}
