import { storableJson } from '@telltale/domain/uplinks/storable-json.ts';
import type { DeviceEntry } from '../networks/directory.ts';
import type { Presence } from '../networks/mqtt/presence.ts';
import type { Services } from '../platform/context.ts';
import { listDeviceRows } from './directory.store.ts';
import {
  type ConnectionChange,
  dropDeadConnections,
  learnWindows,
  sweepSilent,
  type Turned,
  writeConnections,
  writeState,
} from './presence.store.ts';
import type { Uplinks } from './uplinks.ts';

const writeEveryMs = 200;
const largestState = 4096;

export interface DevicePresence extends Presence {
  stop(): Promise<void>;
}

/**
 * Who is connected, as the tables know it. Connections that open and close in a rush are written together; a device that comes
 * and goes within one turn has come and gone.
 */
export function keepPresence({ db, log }: Services, processId: string, uplinks: Uplinks): DevicePresence {
  let changes = new Map<string, ConnectionChange>();
  const devices = new Map<number, DeviceEntry>();
  let writing: Promise<void> = Promise.resolve();

  const note = (device: DeviceEntry, client_id: string, isOpen: boolean) => {
    devices.set(device.pk, device);
    const key = `${device.pk} ${client_id}`;
    changes.delete(key);
    changes.set(key, { device_pk: device.pk, client_id, isOpen });
  };
  /** iot-behaviour 1.7: written on change only. */
  const tell = (turned: Turned[]) => {
    for (const { device_pk, online } of turned) {
      const device = devices.get(device_pk);
      if (device) void uplinks.note(device, { 'sys.online': Number(online) });
    }
  };
  const write = async () => {
    const due = changes;
    if (due.size === 0) return;
    changes = new Map();
    try {
      tell(await writeConnections(db, processId, [...due.values()]));
    } catch (error) {
      // What came meanwhile is newer.
      changes = new Map([...due, ...changes]);
      log.warn({ err: error instanceof Error ? error.message : String(error) }, 'who is connected waits for the database');
    }
  };
  const timer = setInterval(() => {
    writing = writing.then(write);
  }, writeEveryMs);

  return {
    connected: (device, clientId) => note(device, clientId, true),
    disconnected(device, clientId, seconds) {
      note(device, clientId, false);
      void uplinks.note(device, { 'sys.session_seconds': seconds });
    },
    async state(device, payload) {
      await writeState(db, device.pk, readState(payload));
      return undefined;
    },
    async stop() {
      clearInterval(timer);
      await writing;
      await write();
    },
  };
}

/** Whatever a device says about itself, as JSON; anything else is kept as its text. */
function readState(payload: Buffer): string | null {
  const text = payload.subarray(0, largestState).toString('utf8').replaceAll('\0', '');
  if (text === '') return null;
  try {
    const state: unknown = JSON.parse(payload.length > largestState ? '' : text);
    return storableJson(state) ?? JSON.stringify(text);
  } catch {
    return JSON.stringify(text);
  }
}

/** Connections of brokers that died, and devices that fell silent or came back; what changed is noted as if it had been seen. */
export async function sweepPresence({ db }: Services, uplinks: Uplinks): Promise<void> {
  const { turned, ended } = await dropDeadConnections(db);
  const notes = [
    ...ended.map(({ device_pk, seconds }) => ({ device_pk, values: { 'sys.session_seconds': seconds } })),
    ...[...turned, ...(await sweepSilent(db))].map(({ device_pk, online }) => ({ device_pk, values: { 'sys.online': Number(online) } })),
  ];
  if (notes.length === 0) return;
  const devices = new Map((await listDeviceRows(db, [...new Set(notes.map(({ device_pk }) => device_pk))])).map((row) => [row.pk, row]));
  await Promise.all(
    notes.map(({ device_pk, values }) => {
      const device = devices.get(device_pk);
      return device && uplinks.note(device, values);
    }),
  );
}

export const learnPresenceWindows = ({ db }: Services) => learnWindows(db);
