import type { Channel } from '@telltale/domain/channels/contract.ts';
import { Link } from 'react-router';
import { useCan } from '../../api/session.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { type Column, ItemsPage } from '../../ui/ItemsPage.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import styles from '../Channels.module.css';
import { useLorawanChannels } from '../useChannels.ts';
import { AddLorawanChannelButton } from './AddLorawanChannelButton.tsx';

const columns: readonly Column<Channel>[] = [
  {
    title: 'ID',
    sort: 'channel_id',
    cell: ({ channel_id, channel_name }) => (
      <span className={styles.device}>
        <Link className={styles.id} to={`/console/channels/${channel_id}`}>
          {channel_id}
        </Link>
        {channel_name !== channel_id && <span className={styles.name}>{channel_name}</span>}
      </span>
    ),
  },
  { title: 'Network', sort: 'network_name', cell: ({ network_name }) => network_name ?? 'None', width: 200, hideBelow: 640 },
  {
    title: 'Devices',
    sort: 'device_count',
    cell: ({ device_count, online_count }) => `${online_count.toLocaleString('en')} of ${device_count.toLocaleString('en')} online`,
    width: 152,
    hideBelow: 960,
  },
  {
    title: 'Uplinks per Hour',
    sort: 'uplinks_last_hour',
    cell: ({ uplinks_last_hour }) => uplinks_last_hour?.toLocaleString('en') ?? '',
    width: 144,
    hideBelow: 800,
  },
  { title: 'Last Seen', sort: 'last_seen_at', cell: ({ last_seen_at }) => <TimeAgo date={last_seen_at} placeholder="Never" />, width: 136 },
];

/** /console/channels */
export function LorawanChannelsPage() {
  const canManage = useCan()('manage_channel');
  return (
    <ItemsPage
      title="LoRaWAN Channels"
      items={useLorawanChannels()}
      columns={columns}
      keyOf={({ channel_id }) => channel_id}
      action={canManage && <AddLorawanChannelButton />}
      empty={
        <EmptyState action={canManage && <AddLorawanChannelButton type="default" />}>
          No LoRaWAN channels yet. Each channel receives the uplinks of one application of a network.
        </EmptyState>
      }
    />
  );
}
