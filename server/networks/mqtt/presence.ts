import type { Refusal } from '@telltale/domain/uplinks/record.ts';
import type { DeviceEntry } from '../directory.ts';

/** Reports of connections and states of devices (iot-behaviour 1.7). */
export interface Presence {
  connected(device: DeviceEntry, clientId: string): void;
  disconnected(device: DeviceEntry, clientId: string, seconds: number): void;
  /** The state that a device reports, either itself or by its last will. */
  state(device: DeviceEntry, payload: Buffer): Promise<undefined>;
}

/** Takes answers to commands; resolves when the answer is recorded, or with the reason why it never will be. */
export type OnAck = (device: DeviceEntry, payload: Buffer) => Promise<Refusal | undefined>;
