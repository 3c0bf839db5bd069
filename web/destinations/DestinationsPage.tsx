import type { Destination } from '@telltale/domain/destinations/contract.ts';
import { Link } from 'react-router';
import { SettingsFrame } from '../layout/SettingsFrame.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { type Column, ItemsPage } from '../ui/ItemsPage.tsx';
import { PictureName } from '../ui/PictureName.tsx';
import { fromList } from '../ui/useDialogAddress.ts';
import { AddDestinationButton, newDestinationAddress } from './AddDestinationButton.tsx';
import { DestinationMark } from './DestinationMark.tsx';
import { useDestinations, useTypeName } from './useDestinations.ts';

/** /destinations and /destination, and behind the dialog of /destination/new (A2). */
export function DestinationsPage() {
  const destinations = useDestinations();
  const typeName = useTypeName();
  const columns: readonly Column<Destination>[] = [
    {
      title: 'Name',
      sort: 'name',
      cell: ({ id, name, type }) => (
        <PictureName picture={<DestinationMark type={type} typeName={typeName(type)} />} name={name} to={`/destinations/${id}`} />
      ),
    },
    { title: 'Type', sort: 'type', cell: ({ type }) => typeName(type), width: '40%' },
  ];
  return (
    <SettingsFrame>
      <ItemsPage
        title="Alert Destinations"
        level={2}
        items={destinations}
        columns={columns}
        action={<AddDestinationButton />}
        empty={<NoDestinations />}
      />
    </SettingsFrame>
  );
}

function NoDestinations() {
  const add = (
    <Link to={newDestinationAddress} state={fromList}>
      Click here to add one
    </Link>
  );
  return <EmptyState action={add}>There are no alert destinations yet.</EmptyState>;
}
