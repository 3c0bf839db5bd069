import type { Channel } from '@telltale/domain/channels/contract.ts';
import { lazy, Suspense } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useCan } from '../api/session.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { type Column, ItemsPage } from '../ui/ItemsPage.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { AddChannelButton } from './AddChannelButton.tsx';
import styles from './Channels.module.css';
import { useChannels } from './useChannels.ts';

const NewDeviceDialog = lazy(() => import('./NewDeviceDialog.tsx'));

/** D2; the number of connected devices is ours. */
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
    cell: ({ device_count, online_count }) => `${online_count.toLocaleString('en')} of ${device_count.toLocaleString('en')} online`,
    width: 176,
    hideBelow: 800,
  },
  { title: 'Created At', sort: 'created_at', cell: ({ created_at }) => <TimeAgo date={created_at} />, width: 144 },
];

/** /mqtt; /channels/new and /devices/new are the same page with a dialog over it. */
export function ChannelsPage() {
  const canManage = useCan()('manage_channel');
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const leave = () => void navigate('/mqtt', { replace: true });
  return (
    <>
      <ItemsPage
        title="Mqtt Channels"
        items={useChannels()}
        columns={columns}
        keyOf={({ channel_id }) => channel_id}
        action={canManage && <AddChannelButton addressed={pathname === '/channels/new' ? { onClose: leave } : undefined} />}
        empty={<EmptyState action={canManage && <AddChannelButton type="default" />}>No channels yet</EmptyState>}
      />
      {pathname === '/devices/new' && (
        <Suspense>
          <NewDeviceDialog onClose={leave} />
        </Suspense>
      )}
    </>
  );
}
