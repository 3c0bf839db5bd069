import { useQueryClient } from '@tanstack/react-query';
import { channelsApi, devicesApi } from '@telltale/domain/channels/contract.ts';
import { fleetApi } from '@telltale/domain/channels/fleet-contract.ts';
import { numberedIdentifier } from '@telltale/domain/channels/identifiers.ts';
import { useState } from 'react';
import { ApiError } from '../../api/ApiError.ts';
import { call } from '../../api/call.ts';
import { familyKey } from '../../api/queryKey.ts';

interface Names {
  channel_name: string;
  device_name: string;
  ids: { channel: string; device: string };
}

const mostTries = 9;

/** Adds a channel and a device in it. A taken id, perhaps of a channel that was just deleted, gets a number. */
export function useConnect(onMade: (at: { channel_id: string; device_id: string }) => void) {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState('');
  const connect = async ({ channel_name, device_name, ids }: Names) => {
    if (isBusy) return;
    setBusy(true);
    setFault('');
    try {
      const { channel_id } = await withFreeId(ids.channel, (id) => call(channelsApi.create, { body: { channel_id: id, channel_name } }));
      const { device_id } = await call(devicesApi.create, { params: { id: channel_id }, body: { device_id: ids.device, device_name } });
      for (const read of [channelsApi.list, fleetApi.summary]) void client.invalidateQueries({ queryKey: familyKey(read) });
      onMade({ channel_id, device_id });
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return { connect, isBusy, fault };
}

async function withFreeId<T>(id: string, create: (id: string) => Promise<T>): Promise<T> {
  for (let number = 2; ; number++) {
    try {
      return await create(number === 2 ? id : numberedIdentifier(id, number - 1));
    } catch (error) {
      const isTaken = error instanceof ApiError && (error.status === 400 || error.status === 409) && number <= mostTries;
      if (!isTaken) throw error;
    }
  }
}
