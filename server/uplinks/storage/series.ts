import { limits } from '@telltale/domain/uplinks/limits.ts';
import type { Point } from '@telltale/domain/uplinks/record.ts';
import type { DeviceEntry } from '../../networks/directory.ts';
import type { WriteConnection } from './write-connection.ts';

interface Attribute {
  id: number;
  unit: string | null;
}

interface DeviceSeries {
  /** Attributes it has at least one point of. */
  attributes: Set<number>;
  /** Attributes that a flush is about to give it. */
  coming: Set<number>;
  /** The last time that the house assigned, in microseconds. */
  lastTime: number;
}

/** More devices than one process serves; beyond it, what is remembered is read again. */
const mostDevices = 200_000;

/** The dictionary of attributes and who reports what, as far as this process has seen them. */
export class SeriesBook {
  readonly #channels = new Map<number, Map<string, Attribute>>();
  readonly #devices = new Map<number, DeviceSeries>();
  /** Units that were learned and not written yet. */
  readonly #newUnits = new Map<number, string>();

  deviceOf(devicePk: number): DeviceSeries | undefined {
    return this.#devices.get(devicePk);
  }

  attributeOf(channelPk: number, name: string): Attribute | undefined {
    return this.#channels.get(channelPk)?.get(name);
  }

  forgetDevice(devicePk: number): void {
    this.#devices.delete(devicePk);
  }

  /** iot-behaviour 1.5: strictly increasing per device, with room for the entries of one message. */
  assignTime(devicePk: number, receivedAt: number, entries: number): number {
    const device = this.#devices.get(devicePk);
    if (!device) return receivedAt;
    const time = Math.max(receivedAt, device.lastTime + 1);
    device.lastTime = time + entries - 1;
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
   * The attribute of each point, null for one that goes beyond what a device may have (iot-behaviour 1.6). Names that nobody
   * has used in this channel are collected for `learn`, after which this is asked again.
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
      if (room <= 0 && !asked.has(name)) return null;
      if (!asked.has(name)) room--;
      asked.add(name);
      unknown.add(channel.pk, name, kind, unit);
      return null;
    });
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

  /** Outside of the flush: two that meet a new name at the same time must not wait for each other. */
  async learn(connection: WriteConnection, unknown: UnknownNames): Promise<void> {
    const { channels, names, kinds, units } = unknown.columns();
    const wanted =
      '(select distinct on (channel_pk, name) * from unnest($1::int[], $2::text[], $3::text[], $4::text[]) as w(channel_pk, name, kind, unit))';
    await connection.query(
      `insert into telemetry.attribute (channel_pk, name, unit, kind_seen, first_seen, last_seen)
       select channel_pk, name, unit, kind::"char", now(), now() from ${wanted} w
       where exists (select from telemetry.channel where id = channel_pk)
       order by channel_pk, name on conflict (channel_pk, name) do nothing`,
      [channels, names, kinds, units],
    );
    const rows = await connection.query<{ id: number; channel_pk: number; name: string; unit: string | null }>(
      `select id, a.channel_pk, a.name, a.unit from telemetry.attribute a
       join unnest($1::int[], $2::text[]) as w(channel_pk, name) on w.channel_pk = a.channel_pk and w.name = a.name`,
      [channels, names],
    );
    for (const { id, channel_pk, name, unit } of rows) {
      const known = this.#channels.get(channel_pk) ?? new Map<string, Attribute>();
      this.#channels.set(channel_pk, known.set(name, { id, unit }));
    }
  }

  /** A flush is through: what was coming is there, or is not coming any more. */
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

/** What devices report for the first time. */
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
