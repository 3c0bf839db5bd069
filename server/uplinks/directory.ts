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
  value: T;
  until: number;
}

/** Answers by key, for a while. Equal questions at the same time are asked once. */
class Memory<T> {
  readonly #known = new Map<string, Remembered<T>>();
  /** What was not there, and until when that is believed. */
  readonly #absent = new Map<string, number>();
  /** The keys of a device: one that changes must not cost a look at all others. */
  readonly #byDevice = new Map<number, Set<string>>();
  readonly #deviceOf: (value: T) => number | undefined;
  readonly #asking = new Map<string, Promise<T | undefined>>();
  /** Goes up when something is forgotten: an answer that was on its way then may be old already. */
  #generation = 0;

  constructor(deviceOf: (value: T) => number | undefined) {
    this.#deviceOf = deviceOf;
  }

  peek(key: string): T | undefined {
    const known = this.#known.get(key);
    return known && known.until > Date.now() ? known.value : undefined;
  }

  async get(key: string, ask: () => Promise<T | undefined>): Promise<T | undefined> {
    const known = this.peek(key);
    if (known || (this.#absent.get(key) ?? 0) > Date.now()) return known;
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
    if (this.#known.size + this.#absent.size >= mostRemembered)
      for (const each of [this.#known, this.#absent, this.#byDevice]) each.clear();
    if (value === undefined) {
      this.#absent.set(key, Date.now() + negativeMs);
      return;
    }
    this.#known.set(key, { value, until: Date.now() + positiveMs });
    const device = this.#deviceOf(value);
    if (device === undefined) return;
    const keys = this.#byDevice.get(device);
    if (keys) keys.add(key);
    else this.#byDevice.set(device, new Set([key]));
  }

  /** Everything that was not there may be there now. */
  #forgetAbsent(): void {
    this.#generation++;
    this.#asking.clear();
    this.#absent.clear();
  }

  forgetDevice(pk: number): void {
    this.#forgetAbsent();
    for (const key of this.#byDevice.get(pk) ?? []) this.#known.delete(key);
    this.#byDevice.delete(pk);
  }

  forget(isAbout: (value: T) => boolean): void {
    this.#forgetAbsent();
    for (const [key, { value }] of this.#known) if (isAbout(value)) this.#known.delete(key);
  }
}

export interface Directory extends DeviceDirectory {
  stop(): Promise<void>;
}

/** `register` makes a device that a gateway names for the first time; without it there is none. */
export type RegisterDevice = (channel: ChannelEntry, deviceId: string) => Promise<void>;

export function createDirectory({ db, databaseUrl, log }: Services, register?: RegisterDevice): Directory {
  const keys = new Memory<KeyHolder>((holder) => (holder.kind === 'device' ? holder.device.pk : undefined));
  const channels = new Memory<ChannelEntry>(() => undefined);
  const devices = new Memory<DeviceEntry>(({ pk }) => pk);
  const listeners = new Set<(change: DirectoryChange) => void>();

  const forget = (change: DirectoryChange) => {
    if (change.kind === 'device') {
      keys.forgetDevice(change.pk);
      devices.forgetDevice(change.pk);
    } else {
      const isChannel = ({ pk }: ChannelEntry) => change.kind === 'all' || change.pk === pk;
      keys.forget((holder) => isChannel(holder.kind === 'device' ? holder.device.channel : holder.channel));
      channels.forget(isChannel);
      devices.forget(({ channel }) => isChannel(channel));
    }
    for (const tell of listeners) tell(change);
  };
  const onNotice = (payload: string) => {
    const [, kind, pk] = /^(channel|device) (\d{1,10})$/.exec(payload) ?? [];
    if (kind) forget({ kind: kind as 'channel' | 'device', pk: Number(pk) });
  };
  const listener = listen(databaseUrl, { [directoryNotification]: onNotice }, () => forget({ kind: 'all' }), log);

  /** A gateway may name anything, even what no text of a database can be. */
  const findDevice = async (channelId: string, deviceId: string) =>
    deviceId.includes('\0') ? undefined : devices.get(`${channelId}/${deviceId}`, () => findDeviceRow(db, channelId, deviceId));
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
      devices.forgetDevice(0);
      return findDevice(channel.channel_id, deviceId);
    },
    onChange(tell) {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    stop: () => listener.stop(),
  };
}
