import type { Channel } from '@telltale/domain/channels/contract.ts';
import { Link } from 'react-router';
import { useCan } from '../api/session.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { type Column, ItemsPage } from '../ui/ItemsPage.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { AddChannelButton } from './AddChannelButton.tsx';
import styles from './Channels.module.css';
import { useChannels } from './useChannels.ts';

/** D2; how many of its devices are connected is ours. */
const columns: readonly Column<Channel>[] = [
  {
    title: 'ID',
    sort: 'channel_id',
    cell: ({ channel_id }) => (
      <Link className={styles.id} to={`/mqtt/${channel_id}`}>
        {channel_id}
      </Link>
    ),
  },
  { title: 'Name', sort: 'channel_name', cell: ({ channel_name }) => <span className={styles.name}>{channel_name}</span> },
  {
    title: 'Devices',
    sort: 'device_count',
    cell: ({ device_count, online_count }) => `${device_count.toLocaleString('en')}, ${online_count.toLocaleString('en')} online`,
    width: 176,
    hideBelow: 800,
  },
  { title: 'Created At', sort: 'created_at', cell: ({ created_at }) => <TimeAgo date={created_at} />, width: 144 },
];

/** /mqtt */
export function ChannelsPage() {
  const canManage = useCan()('manage_channel');
  return (
    <ItemsPage
      title="Mqtt Channels"
      items={useChannels()}
      columns={columns}
      keyOf={({ channel_id }) => channel_id}
      action={canManage && <AddChannelButton />}
      empty={<EmptyState action={canManage && <AddChannelButton type="default" />}>No channels yet</EmptyState>}
    />
  );
}
