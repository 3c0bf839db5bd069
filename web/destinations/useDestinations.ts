import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { type Destination, destinationsApi } from '@telltale/domain/destinations/contract.ts';
import { useList, useRead, useWrite } from '../api/query.ts';
import { saveFailure } from '../data-sources/saveFailure.ts';
import { closeTestNotice } from '../data-sources/useConnectionTest.ts';

/** Types change only with the server. */
export const useDestinationTypes = () => useRead(destinationsApi.types, {}, { staleTime: Number.POSITIVE_INFINITY });

export function useTypeName(): (type: string) => string {
  const { data, isPending } = useDestinationTypes();
  // Shows nothing while loading, rather than a word that changes visibly.
  return (type) => (isPending ? '' : (data?.find((known) => known.type === type)?.name ?? type));
}

/** A9: 20 per page, the newest first. */
export function useDestinations() {
  const typeName = useTypeName();
  const textOf = ({ name, type }: Destination) => [name, type, typeName(type)].join('\n');
  return useList(destinationsApi.list, { order: '-id', remember: 'destinations', textOf });
}

export const useDestination = (id: number) => useRead(destinationsApi.get, { params: { id } });

/** Reloaded, because attempts go on. */
export const useDestinationDeliveries = (id: number) =>
  useList(destinationsApi.deliveries, { params: { id }, order: '', pageSize: 10, urlState: false, refetchMs: 5000 });

/** The dialog shows failures. */
export const useCreateDestination = () =>
  useWrite(destinationsApi.create, { refresh: [destinationsApi.list], saved: 'Saved.', failed: false, onDone: closeTestNotice });

export const useSaveDestination = () =>
  useWrite(destinationsApi.save, {
    refresh: [destinationsApi.get, destinationsApi.list, alertsApi.subscriptions],
    saved: 'Saved.',
    failed: saveFailure,
    onDone: closeTestNotice,
  });

export const useDeleteDestination = () =>
  useWrite(destinationsApi.remove, {
    refresh: [destinationsApi.list, alertsApi.subscriptions],
    saved: 'Alert destination deleted successfully.',
    onDone: closeTestNotice,
  });
