import { useQuery } from '@tanstack/react-query';
import { type DeviceLine, type LineFault, readDeviceCsv } from '@telltale/domain/channels/device-csv.ts';
import { deviceImportApi, type ImportedDevices, ImportFault } from '@telltale/domain/channels/import-contract.ts';
import { useMemo } from 'react';
import { z } from 'zod';
import { type ApiError, call } from '../../api/call.ts';
import { useDelayed } from '../../ui/useDelayed.ts';

const Refusal = z.object({ errors: z.array(ImportFault) });

/** The lines of the rows that the server refused; null for any other failure. */
export function refusedLines(error: ApiError | null, devices: readonly DeviceLine[]): LineFault[] | null {
  const refusal = Refusal.safeParse(error?.body).data;
  return refusal?.errors.map(({ row, message }) => ({ line: devices[row - 1]?.line ?? row, message })) ?? null;
}

/** Reads the text once it rests, and lets the server check what it says by a dry run. */
export function useImportCheck(channelId: string, text: string) {
  const settled = useDelayed(text, 300);
  const csv = useMemo(() => readDeviceCsv(settled), [settled]);
  const isReadable = csv.devices.length > 0 && csv.faults.length === 0;
  const check = useQuery<ImportedDevices, ApiError>({
    queryKey: ['device-import-check', channelId, settled],
    queryFn: ({ signal }) => {
      const body = { devices: csv.devices.map(({ device }) => device), dry_run: true };
      return call(deviceImportApi.run, { params: { id: channelId }, body }, { signal });
    },
    enabled: isReadable,
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isSettled = settled === text;
  return {
    ...csv,
    faults: csv.faults.length > 0 ? csv.faults : (refusedLines(check.error, csv.devices) ?? []),
    isChecking: !isSettled || check.isFetching,
    isReady: isSettled && isReadable && check.isSuccess,
    error: check.error,
    retry: () => void check.refetch(),
  };
}
