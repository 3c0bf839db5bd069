import type { Refusal } from '@telltale/domain/uplinks/record.ts';
import type { DeviceEntry } from '../directory.ts';

/** What the house wants to know about connections (iot-behaviour 1.7). */
export interface Presence {
  connected(device: DeviceEntry, clientId: string): void;
  disconnected(device: DeviceEntry, clientId: string, seconds: number): void;
  /** What the device says about itself, by itself or by its last will. */
  state(device: DeviceEntry, payload: Buffer): Promise<undefined>;
}

/** Answers to commands; resolves when it has been noted, or with the reason why it never will be. */
export type OnAck = (device: DeviceEntry, payload: Buffer) => Promise<Refusal | undefined>;
