import { destinationsApi } from '@telltale/domain/destinations/contract.ts';
import { call } from '../../api/call.ts';
import { SelectItemsDialog } from '../../ui/SelectItemsDialog.tsx';
import styles from '../Commands.module.css';
import { useSubscribe } from '../useCommands.ts';

async function findDestinations(q: string, signal: AbortSignal) {
  const found = await call(destinationsApi.list, { query: { q } }, { signal });
  const term = q.trim().toLowerCase();
  return (Array.isArray(found) ? found : found.results).filter(({ name }) => name.toLowerCase().includes(term));
}

interface AddDestinationsDialogProps {
  commandId: number;
  taken: readonly number[];
  onClose: () => void;
}

export default function AddDestinationsDialog({ commandId, taken, onClose }: AddDestinationsDialogProps) {
  const subscribe = useSubscribe();
  return (
    <SelectItemsDialog
      title="Add Destinations"
      placeholder="Search destinations..."
      find={findDestinations}
      keyOf={({ id }) => id}
      draw={({ name, type }) => (
        <>
          {name} <span className={styles.hint}>{type}</span>
        </>
      )}
      isTaken={({ id }) => taken.includes(id)}
      save={({ id }) => subscribe.mutateAsync({ params: { id: commandId }, body: { destination_id: id } })}
      onClose={onClose}
    />
  );
}
