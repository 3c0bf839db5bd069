import type { Device } from '@telltale/domain/channels/contract.ts';
import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import { Link } from 'react-router';
import { useCan } from '../api/session.ts';
import { CopyField } from '../ui/CopyField.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { type Column, ItemsPage } from '../ui/ItemsPage.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { AddDeviceButton } from './AddDeviceButton.tsx';
import styles from './Channels.module.css';
import { Online } from './Online.tsx';
import { deviceAddress, useDevices } from './useChannels.ts';

/** D2; state and last seen are ours. */
const columns: readonly Column<Device>[] = [
  {
    title: 'Name',
    sort: 'name',
    cell: ({ channel_id, device_id, name }) => (
      <span className={styles.device}>
        <Link to={deviceAddress(channel_id, device_id)}>{name}</Link>
        <span className={styles.id}>{device_id}</span>
      </span>
    ),
  },
  { title: 'Api Key', cell: (device) => <ApiKey device={device} />, width: 264, hideBelow: 800 },
  { title: 'State', sort: 'online', cell: ({ online }) => <Online online={online} />, width: 104 },
  {
    title: 'Last Seen',
    sort: 'last_seen_at',
    cell: ({ last_seen_at }) => <TimeAgo date={last_seen_at} placeholder="Never" />,
    width: 136,
    hideBelow: 640,
  },
  { title: 'Created At', sort: 'created_at', cell: ({ created_at }) => <TimeAgo date={created_at} />, width: 136, hideBelow: 960 },
];

/** Screens 14: masked, with reveal and copy, for those who may see it. */
function ApiKey({ device: { api_key, name } }: { device: Device }) {
  if (api_key === secretMask) return <span className={styles.masked}>{secretMask}</span>;
  return <CopyField label={`api key of ${name}`} value={api_key} isSecret />;
}

export function DeviceList({ channelId }: { channelId: string }) {
  const canManage = useCan()('manage_channel');
  return (
    <ItemsPage
      title="Devices"
      level={2}
      items={useDevices(channelId)}
      columns={columns}
      keyOf={({ device_id }) => device_id}
      action={canManage && <AddDeviceButton channelId={channelId} />}
      empty={
        <EmptyState action={canManage && <AddDeviceButton channelId={channelId} type="default" />}>
          No devices in this channel yet
        </EmptyState>
      }
    />
  );
}
