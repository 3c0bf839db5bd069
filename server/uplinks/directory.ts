import type { ChannelEntry, DeviceDirectory, DeviceEntry, DirectoryChange, KeyHolder } from '../networks/directory.ts';
import { directoryNotification } from '../networks/directory.ts';
import type { Services } from '../platform/context.ts';
import { listen } from '../platform/jobs/listen.ts';
import { findChannelRow, findDeviceRow, findKeyRow } from './directory.store.ts';

/** iot-behaviour 1.2: what was found is believed for a minute, what was not for five seconds. */
const positiveMs = 60_000;
const negativeMs = 5000;
const mostRemembered = 200_000;

interface Remembered<T> {
  value: T | undefined;
  until: number;
}

/** Answers by key, for a while. Equal questions at the same time are asked once. */
class Memory<T> {
  readonly #known = new Map<string, Remembered<T>>();
  readonly #asking = new Map<string, Promise<T | undefined>>();
  /** Goes up when something is forgotten: an answer that was on its way then may be old already. */
  #generation = 0;

  peek(key: string): T | undefined {
    const known = this.#known.get(key);
    return known && known.until > Date.now() ? known.value : undefined;
  }

  async get(key: string, ask: () => Promise<T | undefined>): Promise<T | undefined> {
    const known = this.#known.get(key);
    if (known && known.until > Date.now()) return known.value;
    const asking = this.#asking.get(key);
    if (asking) return asking;
    const generation = this.#generation;
    const question = ask()
      .then((value) => {
        if (generation === this.#generation) this.#keep(key, value);
        return value;
      })
      .finally(() => {
        if (this.#asking.get(key) === question) this.#asking.delete(key);
      });
    this.#asking.set(key, question);
    return question;
  }

  #keep(key: string, value: T | undefined): void {
    if (this.#known.size >= mostRemembered) this.#known.clear();
    this.#known.set(key, { value, until: Date.now() + (value === undefined ? negativeMs : positiveMs) });
  }

  /** Everything that was not there may be there now. */
  forget(isAbout: (value: T) => boolean): void {
    this.#generation++;
    this.#asking.clear();
    for (const [key, { value }] of this.#known) if (value === undefined || isAbout(value)) this.#known.delete(key);
  }
}

export interface Directory extends DeviceDirectory {
  stop(): Promise<void>;
}

/** `register` makes a device that a gateway names for the first time; without it there is none. */
export type RegisterDevice = (channel: ChannelEntry, deviceId: string) => Promise<void>;

export function createDirectory({ db, databaseUrl, log }: Services, register?: RegisterDevice): Directory {
  const keys = new Memory<KeyHolder>();
  const channels = new Memory<ChannelEntry>();
  const devices = new Memory<DeviceEntry>();
  const listeners = new Set<(change: DirectoryChange) => void>();

  const forget = (change: DirectoryChange) => {
    const isChannel = ({ pk }: ChannelEntry) => change.kind === 'all' || (change.kind === 'channel' && change.pk === pk);
    const isDevice = (device: DeviceEntry) => (change.kind === 'device' && change.pk === device.pk) || isChannel(device.channel);
    keys.forget((holder) => (holder.kind === 'device' ? isDevice(holder.device) : isChannel(holder.channel)));
    channels.forget(isChannel);
    devices.forget(isDevice);
    for (const tell of listeners) tell(change);
  };
  const onNotice = (payload: string) => {
    const [, kind, pk] = /^(channel|device) (\d{1,10})$/.exec(payload) ?? [];
    if (kind) forget({ kind: kind as 'channel' | 'device', pk: Number(pk) });
  };
  const listener = listen(databaseUrl, { [directoryNotification]: onNotice }, () => forget({ kind: 'all' }), log);

  const findDevice = (channelId: string, deviceId: string) =>
    devices.get(`${channelId}/${deviceId}`, () => findDeviceRow(db, channelId, deviceId));
  return {
    findByLookupId: (lookupId) =>
      keys.get(lookupId, async () => {
        const row = await findKeyRow(db, lookupId);
        return row && { ...row, key_hash: Buffer.from(row.key_hash, 'hex') };
      }),
    findChannel: (channelId) => channels.get(channelId, () => findChannelRow(db, channelId)),
    findDevice,
    knownDevice: (channelId, deviceId) => devices.peek(`${channelId}/${deviceId}`),
    async createDevice(channel, deviceId) {
      if (!register || !channel.auto_create || channel.isDisabled) return undefined;
      await register(channel, deviceId);
      devices.forget(() => false);
      return findDevice(channel.channel_id, deviceId);
    },
    onChange(tell) {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    stop: () => listener.stop(),
  };
}
