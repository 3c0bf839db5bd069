import { decodersApi } from '@telltale/domain/decoders/contract.ts';
import { useRead, useWrite } from '../../api/query.ts';

/** The interval of updates while a run is under way. */
const followMs = 1000;
/** The interval at which a paused decoder, and runs that others started, show up. */
const lookMs = 15_000;

export const useDecoder = (id: string) => useRead(decodersApi.get, { params: { id } }, { refetchInterval: lookMs });
export const useDecoderVersions = (id: string) => useRead(decodersApi.versions, { params: { id } }, { gcTime: 0 });
export const useDecoderVersion = (id: string, version: number) =>
  useRead(decodersApi.version, { params: { id, version } }, { staleTime: Number.POSITIVE_INFINITY });

export const useSaveDecoder = () =>
  useWrite(decodersApi.save, {
    refresh: [decodersApi.get, decodersApi.versions],
    saved: ({ script, version }) => (script.trim() === '' ? 'Decoder removed' : `Decoder saved as version ${version}`),
    failed: false,
  });
export const useTestDecoder = () => useWrite(decodersApi.test, { failed: false });
export const useRunRecent = () => useWrite(decodersApi.recent, { failed: false });

export const useRerun = (id: string) =>
  useRead(decodersApi.rerunState, { params: { id } }, { refetchInterval: ({ state }) => (isUnderWay(state.data) ? followMs : lookMs) });
export const isUnderWay = (rerun: { job: { status: number } } | null | undefined): boolean => (rerun?.job.status ?? 4) < 3;
export const usePreviewRerun = () => useWrite(decodersApi.rerun, { failed: false });
export const useStartRerun = () => useWrite(decodersApi.rerun, { refresh: [decodersApi.rerunState] });
export const useCancelRerun = () => useWrite(decodersApi.cancelRerun, { refresh: [decodersApi.rerunState] });
