import type { AlertDevice } from '@telltale/domain/alerts/contract.ts';
import { deviceAddress } from '@telltale/domain/channels/address.ts';
import { Link } from 'react-router';
import { useArrayItems } from '../../api/useArrayItems.ts';
import { type Column, ItemsPage } from '../../ui/ItemsPage.tsx';
import { NothingYet } from '../../ui/NothingYet.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { AlertState } from '../AlertState.tsx';
import { valueText } from './valueText.ts';

/** Each device has a state of its own; triggered ones come first. */
export function DeviceStates({ channelId, devices }: { channelId: string; devices: readonly AlertDevice[] }) {
  const columns: readonly Column<AlertDevice>[] = [
    {
      title: 'Device',
      cell: ({ device_id, device_name }) => <Link to={deviceAddress(channelId, device_id)}>{device_name || device_id}</Link>,
    },
    { title: 'State', cell: ({ state }) => <AlertState state={state} />, width: 128 },
    { title: 'Value', cell: ({ value }) => valueText(value), width: '20%', align: 'end' },
    { title: 'Since', cell: ({ since }) => <TimeAgo date={since} />, width: '25%' },
  ];
  return (
    <ItemsPage
      title="Devices"
      level={2}
      isPart
      items={useArrayItems(devices, 10)}
      columns={columns}
      keyOf={({ device_id }) => device_id}
      empty={<NothingYet>This channel has no devices yet.</NothingYet>}
    />
  );
}
