import type { ChannelEntry, DeviceDirectory, DeviceEntry, DirectoryChange, KeyHolder } from '../networks/directory.ts';
import { directoryNotification } from '../networks/directory.ts';
import { AskTogether } from '../platform/ask-together.ts';
import type { Services } from '../platform/context.ts';
import { listen } from '../platform/jobs/listen.ts';
import { findChannelRow, findDeviceRowByEui, findDeviceRows, findKeyRows, listNetworkChannelRows } from './directory.store.ts';

/** iot-behaviour 1.2: a found entry is cached for a minute, an absent one for five seconds. */
const positiveMs = 60_000;
const negativeMs = 5000;
const mostRemembered = 200_000;
/** A gateway, or a restart of ours, makes thousands of devices known at one moment: so many are asked for by one statement. */
const mostAtOnce = 500;

interface Remembered<T> {
  value: T;
  until: number;
}

/** A cache of look-ups by key. Concurrent equal look-ups share one request. */
class Memory<T> {
  readonly #known = new Map<string, Remembered<T>>();
  /** Keys that were not found, and until when that is assumed. */
  readonly #absent = new Map<string, number>();
  /** The keys of each device, so that one changed device needs no scan of all others. */
  readonly #byDevice = new Map<number, Set<string>>();
  readonly #deviceOf: (value: T) => number | undefined;
  readonly #asking = new Map<string, Promise<T | undefined>>();
  /** Goes up when entries are dropped: a look-up that was under way then may be stale. */
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
    // Up to a quarter less, by chance: what became known together is not asked for again together.
    this.#known.set(key, { value, until: Date.now() + positiveMs * (1 - Math.random() / 4) });
    const device = this.#deviceOf(value);
    if (device === undefined) return;
    const keys = this.#byDevice.get(device);
    if (keys) keys.add(key);
    else this.#byDevice.set(device, new Set([key]));
  }

  /** Drops all absent entries, because they may exist now. */
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

/** Creates a device that a gateway names for the first time; without it there is no automatic creation. */
export type RegisterDevice = (
  channel: ChannelEntry,
  deviceId: string,
  more?: { device_name?: string; dev_eui?: string | null },
) => Promise<'full' | undefined>;

/** A full channel is not counted again for each new name during this time. */
const fullMs = 5000;

export function createDirectory({ db, databaseUrl, log }: Services, register?: RegisterDevice): Directory {
  const keys = new Memory<KeyHolder>((holder) => (holder.kind === 'device' ? holder.device.pk : undefined));
  const channels = new Memory<ChannelEntry>(() => undefined);
  const devices = new Memory<DeviceEntry>(({ pk }) => pk);
  const manyDevices = new AskTogether((asked: { channelId: string; deviceId: string }[]) => findDeviceRows(db, asked), mostAtOnce);
  const manyKeys = new AskTogether((lookupIds: string[]) => findKeyRows(db, lookupIds), mostAtOnce);
  const full = new Map<number, number>();
  const isFull = (channelPk: number) => (full.get(channelPk) ?? 0) > Date.now();
  const networks = new Memory<readonly ChannelEntry[]>(() => undefined);
  const listeners = new Set<(change: DirectoryChange) => void>();

  const forget = (change: DirectoryChange) => {
    if (change.kind === 'device') {
      keys.forgetDevice(change.pk);
      devices.forgetDevice(change.pk);
    } else {
      const isChannel = ({ pk }: ChannelEntry) => change.kind === 'all' || change.pk === pk;
      keys.forget((holder) => isChannel(holder.kind === 'device' ? holder.device.channel : holder.channel));
      channels.forget(isChannel);
      // A channel may have been bound to a network.
      networks.forget(() => true);
      devices.forget(({ channel }) => isChannel(channel));
    }
    for (const tell of listeners) tell(change);
  };
  const onNotice = (payload: string) => {
    const [, kind, pk] = /^(channel|device) (\d{1,10})$/.exec(payload) ?? [];
    if (kind) forget({ kind: kind as 'channel' | 'device', pk: Number(pk) });
  };
  const listener = listen(databaseUrl, { [directoryNotification]: onNotice }, () => forget({ kind: 'all' }), log);

  /** A gateway may name anything, even a text that the database cannot hold. */
  const findDevice = async (channelId: string, deviceId: string) =>
    `${channelId}${deviceId}`.includes('\0')
      ? undefined
      : devices.get(`${channelId}/${deviceId}`, () => manyDevices.ask({ channelId, deviceId }));
  return {
    findByLookupId: async (lookupId) =>
      // Questions are asked together: none of them may be one that the database refuses.
      lookupId.includes('\0')
        ? undefined
        : keys.get(lookupId, async () => {
            const row = await manyKeys.ask(lookupId);
            return row && { ...row, key_hash: Buffer.from(row.key_hash, 'hex') };
          }),
    findChannel: (channelId) => channels.get(channelId, () => findChannelRow(db, channelId)),
    findDevice,
    knownDevice: (channelId, deviceId) => devices.peek(`${channelId}/${deviceId}`),
    findDeviceByEui: (channelId, devEui) => devices.get(`${channelId}/eui:${devEui}`, () => findDeviceRowByEui(db, channelId, devEui)),
    findNetworkChannels: async (networkId) => (await networks.get(String(networkId), () => listNetworkChannelRows(db, networkId))) ?? [],
    async createDevice(channel, deviceId, more) {
      if (!register || !channel.auto_create || channel.isDisabled || isFull(channel.pk)) return undefined;
      if ((await register(channel, deviceId, more)) === 'full') {
        if (full.size > 10_000) full.clear();
        full.set(channel.pk, Date.now() + fullMs);
        return undefined;
      }
      devices.forgetDevice(0);
      return findDevice(channel.channel_id, deviceId);
    },
    isFull,
    onChange(tell) {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    stop: () => listener.stop(),
  };
}
