import type { FullDestination } from '@telltale/domain/destinations/contract.ts';
import { DeleteButton } from '../ui/DeleteButton.tsx';
import { useDeleteDestination } from './useDestinations.ts';

export function DeleteDestinationButton({ destination: { id, name } }: { destination: FullDestination }) {
  const remove = useDeleteDestination();
  return (
    <DeleteButton
      title="Delete Alert Destination"
      content={
        <>
          <p>Are you sure you want to delete this alert destination?</p>
          <p>
            <b>{name}</b> is removed from every alert that notifies it. Notices that wait for it are not sent.
          </p>
        </>
      }
      remove={() => remove.mutateAsync({ params: { id } })}
      next="/destinations"
    />
  );
}
