import PlusOutlined from '@ant-design/icons/PlusOutlined';
import type { Group, GroupChannel } from '@telltale/domain/groups/contract.ts';
import { Button, Checkbox } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { EmptyState } from '../ui/EmptyState.tsx';
import { type Column, ItemsPage, type View } from '../ui/ItemsPage.tsx';
import { RowButton } from '../ui/RowButton.tsx';
import { DeleteGroupButton } from './DeleteGroupButton.tsx';
import { GroupHeading } from './GroupHeading.tsx';
import { useGroupChannels, useRemoveGroupChannel } from './useGroupChannels.ts';
import { useSaveGroup } from './useGroups.ts';

const AddChannelsDialog = lazy(() => import('./AddChannelsDialog.tsx'));

/** /groups/:groupId?view=channels, for administrators: the channels that the members see (design 8.1). */
export function GroupChannels({ group, views }: { group: Group; views: readonly View[] }) {
  const channels = useGroupChannels(group.id);
  const save = useSaveGroup();
  const columns: Column<GroupChannel>[] = [
    { title: 'Name', sort: 'channel_name', cell: ({ channel_id, channel_name }) => <Link to={`/mqtt/${channel_id}`}>{channel_name}</Link> },
    { title: 'Channel ID', sort: 'channel_id', cell: ({ channel_id }) => channel_id, hideBelow: 640 },
    { title: '', cell: (channel) => <RemoveButton groupId={group.id} channel={channel} />, width: 112, align: 'end' },
  ];
  return (
    <ItemsPage
      title="Channels"
      heading={<GroupHeading group={group} />}
      above={<Link to="/groups">Groups</Link>}
      level={2}
      items={channels}
      keyOf={({ channel_id }) => channel_id}
      columns={columns}
      views={views}
      notice={
        <Checkbox
          checked={save.isPending ? save.variables.body.all_channels === true : group.all_channels}
          onChange={(event) => save.mutate({ params: { id: group.id }, body: { all_channels: event.target.checked } })}
        >
          Members see all channels, also those that are made later
        </Checkbox>
      }
      action={
        <>
          <DeleteGroupButton group={group} />
          <AddChannels groupId={group.id} isPrimary />
        </>
      }
      empty={
        <EmptyState action={<AddChannels groupId={group.id} />}>
          {group.all_channels
            ? 'This group sees all channels. Channels added here count once it no longer does.'
            : 'There are no channels in this group yet: its members see none by it.'}
        </EmptyState>
      }
    />
  );
}

function AddChannels({ groupId, isPrimary = false }: { groupId: number; isPrimary?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button type={isPrimary ? 'primary' : 'default'} icon={<PlusOutlined />} onClick={() => setOpen(true)}>
        Add Channels
      </Button>
      {isOpen && (
        <Suspense>
          <AddChannelsDialog groupId={groupId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function RemoveButton({ groupId, channel }: { groupId: number; channel: GroupChannel }) {
  const remove = useRemoveGroupChannel(groupId, channel);
  return (
    <RowButton
      thing={channel.channel_name}
      loading={remove.isPending}
      onClick={() => remove.mutate({ params: { id: groupId, channelId: channel.channel_id } })}
    >
      Remove
    </RowButton>
  );
}
