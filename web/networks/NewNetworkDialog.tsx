import { useEffect, useState } from 'react';
import { recordEvent } from '../api/events.ts';
import { CreateSourceDialog } from '../data-sources/create/CreateSourceDialog.tsx';
import { TestConnection } from '../data-sources/TestConnection.tsx';
import { NetworkMark } from './NetworkMark.tsx';
import { networkTest, useCreateNetwork, useNetworkTypes } from './useNetworks.ts';

/** Answers the id of the new network, or null when the dialog was dismissed. */
export default function NewNetworkDialog({ onClose }: { onClose: (createdId: number | null) => void }) {
  const types = useNetworkTypes();
  const create = useCreateNetwork();
  const [createdId, setCreatedId] = useState<number | null>(null);
  useEffect(() => recordEvent('view', 'page', 'networks/new'), []);
  return (
    <CreateSourceDialog
      what="Network"
      kinds={types}
      logo={({ type, name }, size) => <NetworkMark type={type} typeName={name} size={size} />}
      onCreate={async (network) => setCreatedId((await create.mutateAsync({ body: network })).id)}
      tools={({ kind, ...open }) => <TestConnection type={kind.type} subject={networkTest} {...open} />}
      onClose={() => onClose(createdId)}
    />
  );
}
