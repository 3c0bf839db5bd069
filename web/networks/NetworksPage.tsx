import type { Network } from '@telltale/domain/networks/contract.ts';
import { Link } from 'react-router';
import { SettingsFrame } from '../layout/SettingsFrame.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { type Column, ItemsPage } from '../ui/ItemsPage.tsx';
import { PictureName } from '../ui/PictureName.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { fromList } from '../ui/useDialogAddress.ts';
import { AddNetworkButton, newNetworkAddress } from './AddNetworkButton.tsx';
import { NetworkMark } from './NetworkMark.tsx';
import { NetworkState } from './NetworkState.tsx';
import { useNetworks, useTypeName } from './useNetworks.ts';

/** /networks, and behind the dialog of /networks/new. */
export function NetworksPage() {
  const networks = useNetworks();
  const typeName = useTypeName();
  const columns: readonly Column<Network>[] = [
    {
      title: 'Name',
      sort: 'name',
      cell: ({ id, name, type }) => (
        <PictureName picture={<NetworkMark type={type} typeName={typeName(type)} />} name={name} to={`/networks/${id}`} />
      ),
    },
    { title: 'Type', sort: 'type', cell: ({ type }) => typeName(type), width: 176, hideBelow: 800 },
    { title: 'State', sort: 'state', cell: ({ state }) => <NetworkState state={state} />, width: 144 },
    { title: 'Channels', sort: 'channels', cell: ({ channels }) => channels.toLocaleString('en'), width: 104, hideBelow: 960 },
    {
      title: 'Last Message',
      sort: 'last_message_at',
      cell: ({ last_message_at }) => <TimeAgo date={last_message_at} placeholder="Never" />,
      width: 144,
      hideBelow: 640,
    },
  ];
  return (
    <SettingsFrame>
      <ItemsPage title="Networks" level={2} items={networks} columns={columns} action={<AddNetworkButton />} empty={<NoNetworks />} />
    </SettingsFrame>
  );
}

function NoNetworks() {
  const add = (
    <Link to={newNetworkAddress} state={fromList}>
      Click here to add one
    </Link>
  );
  return <EmptyState action={add}>There are no networks yet. LoRaWAN devices report through The Things Stack or ChirpStack.</EmptyState>;
}
