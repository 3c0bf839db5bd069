import { channelsApi } from '@telltale/domain/channels/contract.ts';
import { type Network, networksApi } from '@telltale/domain/networks/contract.ts';
import { call } from '../api/call.ts';
import { useList, useRead, useWrite } from '../api/query.ts';
import { saveFailure } from '../data-sources/saveFailure.ts';
import { closeTestNotice, connection, type TestSubject } from '../data-sources/useConnectionTest.ts';

/** Types change only with the server. */
export const useNetworkTypes = () => useRead(networksApi.types, {}, { staleTime: Number.POSITIVE_INFINITY });

export function useTypeName(): (type: string) => string {
  const { data, isPending } = useNetworkTypes();
  return (type) => (isPending ? '' : (data?.find((known) => known.type === type)?.name ?? type));
}

/** Reloaded, because states change. */
export function useNetworks() {
  const typeName = useTypeName();
  const textOf = ({ name, type, last_error }: Network) => [name, type, typeName(type), last_error].join('\n');
  return useList(networksApi.list, { order: 'name', remember: 'networks', textOf, refetchMs: 5000 });
}

export const useNetwork = (id: number, enabled = true) => useRead(networksApi.get, { params: { id } }, { refetchInterval: 5000, enabled });
export const useNetworkNames = () => useRead(networksApi.names, {});

const reads = [networksApi.list, networksApi.get, networksApi.names, channelsApi.list];

/** The dialog shows failures. */
export const useCreateNetwork = () =>
  useWrite(networksApi.create, { refresh: reads, saved: 'Saved.', failed: false, onDone: closeTestNotice });
export const useSaveNetwork = () =>
  useWrite(networksApi.save, { refresh: reads, saved: 'Saved.', failed: saveFailure, onDone: closeTestNotice });
export const useDeleteNetwork = () =>
  useWrite(networksApi.remove, { refresh: reads, saved: 'Network deleted successfully.', onDone: closeTestNotice });
export const useRotateWebhookSecret = () => useWrite(networksApi.rotateSecret, { refresh: [networksApi.get], saved: 'Secret rotated' });

/** Signs in at the network with the saved or the typed settings. */
export const networkTest: TestSubject = {
  text: connection.text,
  testStored: (id, signal) => call(networksApi.test, { params: { id } }, { signal }),
  testTyped: (network, signal) => call(networksApi.testUnsaved, { body: network }, { signal }),
};
