import { useEffect, useState } from 'react';
import { recordEvent } from '../api/events.ts';
import { CreateSourceDialog } from '../data-sources/create/CreateSourceDialog.tsx';
import { TestConnection } from '../data-sources/TestConnection.tsx';
import { DestinationMark } from './DestinationMark.tsx';
import { destinationTest } from './destinationTest.ts';
import { useCreateDestination, useDestinationTypes } from './useDestinations.ts';

/** Answers the id of the new destination, or null when the dialog was dismissed. */
export default function NewDestinationDialog({ onClose }: { onClose: (createdId: number | null) => void }) {
  const types = useDestinationTypes();
  const create = useCreateDestination();
  const [createdId, setCreatedId] = useState<number | null>(null);

  useEffect(() => recordEvent('view', 'page', 'destinations/new'), []);

  return (
    <CreateSourceDialog
      what="Alert Destination"
      kinds={types}
      logo={({ type, name }, size) => <DestinationMark type={type} typeName={name} size={size} />}
      onCreate={async (destination) => setCreatedId((await create.mutateAsync({ body: destination })).id)}
      tools={({ kind, ...open }) => <TestConnection type={kind.type} subject={destinationTest} {...open} />}
      onClose={() => onClose(createdId)}
    />
  );
}
