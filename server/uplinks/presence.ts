import { storableJson } from '@telltale/domain/uplinks/storable-json.ts';
import type { DeviceEntry } from '../networks/directory.ts';
import type { Presence } from '../networks/mqtt/presence.ts';
import type { Services } from '../platform/context.ts';
import { isRefusedForGood } from '../platform/errors.ts';
import { listDeviceRows } from './directory.store.ts';
import {
  type ConnectionChange,
  countConnections,
  dropDeadConnections,
  learnWindows,
  sweepSilent,
  type Turned,
  writeConnections,
  writePosition,
  writeState,
} from './presence.store.ts';
import type { Uplinks } from './uplinks.ts';

const writeEveryMs = 200;
const restoreEveryMs = 5000;
const largestState = 4096;
const lostPoint = 'a point about the connection of a device could not be stored';

export interface DevicePresence extends Presence {
  stop(): Promise<void>;
}

/**
 * Records connected devices in the tables. Connections that open and close in a rush are written together; a device that connects and
 * disconnects within one turn counts as both.
 */
export function keepPresence({ db, log }: Services, processId: string, uplinks: Uplinks): DevicePresence {
  let changes = new Map<string, ConnectionChange>();
  const open = new Map<string, ConnectionChange>();
  /** Open connections that have no row even after a restore, such as those of a device that has just been deleted. */
  let unstored = 0;
  const devices = new Map<number, DeviceEntry>();
  let writing: Promise<void> = Promise.resolve();

  const note = (device: DeviceEntry, client_id: string, isOpen: boolean) => {
    devices.set(device.pk, device);
    const key = `${device.pk} ${client_id}`;
    const change = { device_pk: device.pk, client_id, isOpen };
    changes.delete(key);
    changes.set(key, change);
    if (isOpen) open.set(key, change);
    else open.delete(key);
  };
  /** Nobody would repeat such a point: the state of the device is right without it. */
  const notePoint = (device: DeviceEntry, values: Record<string, number>) =>
    void uplinks.note(device, values).catch((error: Error) => log.warn({ err: error.message, device: device.pk }, lostPoint));
  /** iot-behaviour 1.7: points are written on change only. */
  const tell = (turned: Turned[]) => {
    for (const { device_pk, online } of turned) {
      const device = devices.get(device_pk);
      if (device) notePoint(device, { 'sys.online': Number(online) });
    }
  };
  /** A change that the database will never take is left out; it must not hold up the others. */
  const store = async (due: ConnectionChange[]): Promise<void> => {
    try {
      tell(await writeConnections(db, processId, due));
    } catch (error) {
      if (!isRefusedForGood(error)) throw error;
      const middle = Math.ceil(due.length / 2);
      if (due.length > 1) for (const half of [due.slice(0, middle), due.slice(middle)]) await store(half);
      else log.error({ err: error, device: due[0]?.device_pk }, 'a connection of a device cannot be stored');
    }
  };
  const write = async () => {
    const due = changes;
    if (due.size === 0) return;
    changes = new Map();
    try {
      await store([...due.values()]);
    } catch (error) {
      // Changes that came meanwhile are newer.
      changes = new Map([...due, ...changes]);
      log.warn({ err: error instanceof Error ? error.message : String(error) }, 'who is connected waits for the database');
    }
  };
  /** Other processes drop the connections of one that was silent for too long (no processor time, or no database); they are still open. */
  const restore = async () => {
    const missing = open.size - (await countConnections(db, processId));
    if (changes.size > 0 || missing <= unstored) return;
    changes = new Map(open);
    await write();
    unstored = open.size - (await countConnections(db, processId));
  };
  const timers = [
    setInterval(() => {
      writing = writing.then(write);
    }, writeEveryMs),
    setInterval(() => {
      writing = writing.then(restore).catch((error: Error) => log.warn({ err: error.message }, 'connections could not be compared'));
    }, restoreEveryMs),
  ];

  return {
    connected: (device, clientId) => note(device, clientId, true),
    disconnected(device, clientId, seconds) {
      note(device, clientId, false);
      notePoint(device, { 'sys.session_seconds': seconds });
    },
    async state(device, payload) {
      await writeState(db, device.pk, readState(payload));
      return undefined;
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await writing;
      await write();
    },
  };
}

/** The state that a device reports, as JSON; anything else is kept as text. */
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

/** Drops connections of dead brokers, and finds devices that fell silent or came back; changes are recorded as points. */
export async function sweepPresence({ db, log }: Services, uplinks: Uplinks): Promise<void> {
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
      return device && uplinks.note(device, values).catch((error: Error) => log.warn({ err: error.message, device: device_pk }, lostPoint));
    }),
  );
}

export const placeDevice = ({ db }: Services, device: DeviceEntry, position: { latitude: number; longitude: number }) =>
  writePosition(db, device.pk, position);

export const learnPresenceWindows = ({ db }: Services) => learnWindows(db);
