import { limits } from '@telltale/domain/uplinks/limits.ts';
import type { Point } from '@telltale/domain/uplinks/record.ts';
import { entryTime, timeStep } from '@telltale/domain/uplinks/times.ts';
import type { DeviceEntry } from '../../networks/directory.ts';
import type { WriteConnection } from './write-connection.ts';

interface Attribute {
  id: number;
  unit: string | null;
}

interface DeviceSeries {
  /** Attributes with at least one point. */
  attributes: Set<number>;
  /** Attributes that a flush is about to add. */
  coming: Set<number>;
  /** The last time that Telltale assigned, in microseconds. */
  lastTime: number;
}

/**
 * The time under which a point is stored. Watchers order readings by it, as the tables do: it distinguishes readings of one millisecond.
 */
export const pointTime = ({ at, entry }: Pick<Point, 'at' | 'entry'>, assignedAt: number): number => at ?? entryTime(assignedAt, entry);

/** The limit of the cache, above the number of devices of one process; beyond it, entries are read again. */
const mostDevices = 200_000;

/** The limit of cached names of all channels; beyond it, entries are read again. */
const mostNames = 200_000;
/** Names that had no room in their channel, and for how long that is assumed. */
const mostRefused = 20_000;
const refusedMs = 30_000;

/** The dictionary of attributes, and the attributes of each device, as far as this process has seen them. */
export class SeriesBook {
  readonly #channels = new Map<number, Map<string, Attribute>>();
  #names = 0;
  readonly #refused = new Map<string, number>();
  readonly #attributesPerChannel: number;
  readonly #devices = new Map<number, DeviceSeries>();
  /** Units that are not written yet. */
  readonly #newUnits = new Map<number, string>();

  readonly #phase: number;

  /** `attributesPerChannel`: 0 is no limit. `phase`: the offset within a step that this process assigns. */
  constructor(attributesPerChannel = 0, phase = 0) {
    this.#attributesPerChannel = attributesPerChannel;
    this.#phase = phase;
  }

  deviceOf(devicePk: number): DeviceSeries | undefined {
    return this.#devices.get(devicePk);
  }

  attributeOf(channelPk: number, name: string): Attribute | undefined {
    return this.#channels.get(channelPk)?.get(name);
  }

  forgetDevice(devicePk: number): void {
    this.#devices.delete(devicePk);
  }

  /** Forgets attributes of which a device has no point any more; the next one is its first again. */
  forgetAttributes(devicePk: number, attributeIds: readonly number[]): void {
    for (const id of attributeIds) this.#devices.get(devicePk)?.attributes.delete(id);
  }

  /** iot-behaviour 1.5: times are strictly increasing per device, with room for the entries of one message. */
  assignTime(devicePk: number, receivedAt: number, entries: number): number {
    const device = this.#devices.get(devicePk);
    if (!device) return receivedAt;
    const earliest = Math.max(receivedAt, device.lastTime + 1);
    const time = Math.ceil((earliest - this.#phase) / timeStep) * timeStep + this.#phase;
    device.lastTime = entryTime(time, entries - 1);
    return time;
  }

  async loadDevices(connection: WriteConnection, devicePks: Iterable<number>): Promise<void> {
    const missing = [...new Set(devicePks)].filter((pk) => !this.#devices.has(pk));
    if (missing.length === 0) return;
    if (this.#devices.size + missing.length > mostDevices) this.#devices.clear();
    const rows = await connection.query<{ device_pk: number; ids: number[] }>(
      'select device_pk, array_agg(attribute_id) as ids from telemetry.device_attribute where device_pk = any($1) group by device_pk',
      [missing],
    );
    const known = new Map(rows.map(({ device_pk, ids }) => [device_pk, ids]));
    for (const pk of missing) this.#devices.set(pk, { attributes: new Set(known.get(pk)), coming: new Set(), lastTime: 0 });
  }

  /**
   * The attribute of each point, null for a point beyond the limit of the device (iot-behaviour 1.6). Names that are new in this channel
   * are collected for `learn`, after which this is called again.
   */
  resolve({ pk, channel }: DeviceEntry, points: readonly Point[], unknown: UnknownNames, pairs: NewPairs): (number | null)[] {
    const names = this.#channels.get(channel.pk);
    const device = this.#devices.get(pk);
    let room = limits.attributesPerDevice - (device?.attributes.size ?? 0) - (device?.coming.size ?? 0);
    const asked = new Set<string>();
    return points.map(({ name, kind, unit }) => {
      const attribute = names?.get(name);
      if (attribute) {
        if (unit !== null && attribute.unit !== unit) this.#learnUnit(attribute, unit);
        if (!device || device.attributes.has(attribute.id)) return attribute.id;
        if (!device.coming.has(attribute.id)) {
          if (room <= 0) return null;
          room--;
          device.coming.add(attribute.id);
        }
        pairs.add(pk, attribute.id);
        return attribute.id;
      }
      if ((room <= 0 && !asked.has(name)) || this.#isRefused(channel.pk, name)) return null;
      if (!asked.has(name)) room--;
      asked.add(name);
      unknown.add(channel.pk, name, kind, unit);
      return null;
    });
  }

  #isRefused(channelPk: number, name: string): boolean {
    return this.#refused.size > 0 && (this.#refused.get(`${channelPk} ${name}`) ?? 0) > Date.now();
  }

  #learnUnit(attribute: Attribute, unit: string): void {
    attribute.unit = unit;
    this.#newUnits.set(attribute.id, unit);
  }

  /** iot-behaviour 1.5: the unit of an attribute is the one that was last given. */
  async writeUnits(connection: WriteConnection): Promise<void> {
    if (this.#newUnits.size === 0) return;
    const learned = [...this.#newUnits];
    this.#newUnits.clear();
    try {
      await connection.query(
        'update telemetry.attribute set unit = w.unit from unnest($1::int[], $2::text[]) as w(id, unit) where attribute.id = w.id',
        [learned.map(([id]) => id), learned.map(([, unit]) => unit)],
      );
    } catch (error) {
      for (const [id, unit] of learned) if (!this.#newUnits.has(id)) this.#newUnits.set(id, unit);
      throw error;
    }
  }

  /** Runs outside of the flush: two flushes with the same new name must not wait for each other. */
  async learn(connection: WriteConnection, unknown: UnknownNames): Promise<void> {
    const { channels, names, kinds, units } = unknown.columns();
    const wanted =
      '(select distinct on (channel_pk, name) * from unnest($1::int[], $2::text[], $3::text[], $4::text[]) as w(channel_pk, name, kind, unit))';
    // Names that Telltale itself records (sys., lora.) are few, and names of devices must not crowd them out.
    await connection.query(
      `with fresh as (
         select w.*, row_number() over (partition by channel_pk order by name !~ '^(sys|lora)\\.', name) as place,
           (select count(*) from telemetry.attribute a where a.channel_pk = w.channel_pk) as there
         from ${wanted} w
         where exists (select from telemetry.channel where id = channel_pk)
           and not exists (select from telemetry.attribute a where a.channel_pk = w.channel_pk and a.name = w.name))
       insert into telemetry.attribute (channel_pk, name, unit, kind_seen, first_seen, last_seen)
       select channel_pk, name, unit, kind::"char", now(), now() from fresh
       where $5 = 0 or there + place <= $5 or name ~ '^(sys|lora)\\.'
       order by channel_pk, name on conflict (channel_pk, name) do nothing`,
      [channels, names, kinds, units, this.#attributesPerChannel],
    );
    const rows = await connection.query<{ id: number; channel_pk: number; name: string; unit: string | null }>(
      `select id, a.channel_pk, a.name, a.unit from telemetry.attribute a
       join unnest($1::int[], $2::text[]) as w(channel_pk, name) on w.channel_pk = a.channel_pk and w.name = a.name`,
      [channels, names],
    );
    if (this.#names + rows.length > mostNames) {
      this.#channels.clear();
      this.#names = 0;
    }
    for (const { id, channel_pk, name, unit } of rows) {
      const known = this.#channels.get(channel_pk) ?? new Map<string, Attribute>();
      if (!known.has(name)) this.#names++;
      this.#channels.set(channel_pk, known.set(name, { id, unit }));
    }
    this.#refuse(channels, names);
  }

  /** Names that are still missing after `learn` had no room. */
  #refuse(channels: readonly number[], names: readonly string[]): void {
    const until = Date.now() + refusedMs;
    for (const [i, name] of names.entries()) {
      const channelPk = channels[i] ?? 0;
      if (this.#channels.get(channelPk)?.has(name)) continue;
      if (this.#refused.size >= mostRefused) this.#refused.clear();
      this.#refused.set(`${channelPk} ${name}`, until);
    }
  }

  /** Called after a flush: its pending attributes exist now, or are dropped. */
  settle(pairs: NewPairs, isStored: boolean): void {
    for (const [pk, ids] of pairs.byDevice) {
      const device = this.#devices.get(pk);
      for (const id of ids) {
        device?.coming.delete(id);
        if (isStored) device?.attributes.add(id);
      }
    }
  }
}

/** Attributes that devices report for the first time. */
export class NewPairs {
  readonly byDevice = new Map<number, Set<number>>();

  add(devicePk: number, attributeId: number): void {
    const ids = this.byDevice.get(devicePk);
    if (ids) ids.add(attributeId);
    else this.byDevice.set(devicePk, new Set([attributeId]));
  }
}

/** Names to be entered in the dictionary, each once. */
export class UnknownNames {
  readonly #wanted = new Map<string, [channelPk: number, name: string, kind: string, unit: string | null]>();

  get size(): number {
    return this.#wanted.size;
  }

  add(channelPk: number, name: string, kind: string, unit: string | null): void {
    this.#wanted.set(`${channelPk} ${name}`, [channelPk, name, kind, unit]);
  }

  columns() {
    const all = [...this.#wanted.values()];
    return {
      channels: all.map(([pk]) => pk),
      names: all.map(([, name]) => name),
      kinds: all.map(([, , kind]) => kind),
      units: all.map(([, , , unit]) => unit),
    };
  }
}
