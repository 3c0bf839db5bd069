import { createHash, timingSafeEqual } from 'node:crypto';
import { randomKey, type Secrets } from '../platform/secrets.ts';

/** The stored parts of an api key of a device or channel. */
export interface DeviceKeyRecord {
  lookup_id: string;
  key_hash: Buffer;
  key_sealed: Buffer;
}

const keyPattern = /^[A-Za-z0-9]{40}$/;
const lookupLength = 12;

/** iot-behaviour 1.2: 40 characters; the first 12 find the key, the other 28 are the secret. */
export function newDeviceKey(secrets: Secrets): { api_key: string; record: DeviceKeyRecord } {
  const api_key = randomKey();
  return { api_key, record: { ...splitKey(api_key), key_sealed: secrets.seal(api_key) } };
}

/** How a key is looked up and checked; undefined when it cannot be one. */
export function readDeviceKey(api_key: string): Pick<DeviceKeyRecord, 'lookup_id' | 'key_hash'> | undefined {
  return keyPattern.test(api_key) ? splitKey(api_key) : undefined;
}

export const isSameKey = (a: Pick<DeviceKeyRecord, 'key_hash'>, b: Pick<DeviceKeyRecord, 'key_hash'>): boolean =>
  a.key_hash.length === b.key_hash.length && timingSafeEqual(a.key_hash, b.key_hash);

const splitKey = (api_key: string) => ({
  lookup_id: api_key.slice(0, lookupLength),
  key_hash: createHash('sha256').update(api_key.slice(lookupLength)).digest(),
});
