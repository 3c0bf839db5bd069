import { numberOf } from '@telltale/domain/alerts/condition.ts';
import { type DeviceProgress, readingOf, stepDevice } from '@telltale/domain/alerts/device-state.ts';
import type { DeviceAlertOptions } from '@telltale/domain/alerts/options.ts';
import type { Point } from '@telltale/domain/uplinks/record.ts';

/** The state of one device for one alert. `unsure` may be outdated, so the next reading is handed on in any case. */
export interface Remembered {
  state: 'unknown' | 'ok' | 'triggered' | 'pending' | 'unsure';
  /** Time of the last news in milliseconds; 0 for none. */
  newsAt: number;
  /** Time of the reading behind this state, in milliseconds. */
  at: number;
}

/** An alert as it is kept in memory. */
export interface WatchedAlert {
  id: number;
  options: DeviceAlertOptions;
  rearm: number;
  /** Since when the condition holds in milliseconds; earlier readings do not count. */
  armedAt: number;
  /** The threshold, when it is a number. */
  limit: number | undefined;
  /** True before the first evaluation: the first reading is evaluated even if it does not cross the threshold. */
  isUnknown: boolean;
  devices: Map<number, Remembered>;
}

/** The range in which no condition changes its outcome, until the time `until`. */
interface Calm {
  generation: number;
  value: number;
  above: number;
  below: number;
  until: number;
  newest: number;
  /** The newest reading. */
  point: Point;
}

interface SeenDevice {
  pk: number;
  device_id: string;
}

/**
 * The alerts on one attribute of one channel. A reading that crosses no threshold costs two comparisons, however many alerts there are:
 * 1,000 alerts on 10,000 devices must not slow uplinks down (design 7).
 */
export class AttributeWatch {
  readonly everywhere: WatchedAlert[] = [];
  readonly byDevice = new Map<string, WatchedAlert[]>();
  readonly #calm = new Map<number, Calm>();
  /** The newest readings by device from before the last reload of the alerts. */
  readonly #earlier: Map<number, Pick<Calm, 'newest' | 'point'>>;
  readonly #timeZone: string;
  /** Increases when states change elsewhere, so that calm ranges are computed again. */
  generation = 0;

  constructor(timeZone: string, before?: AttributeWatch) {
    this.#timeZone = timeZone;
    this.#earlier = new Map(before && [...before.#earlier, ...before.#calm].map(([pk, { newest, point }]) => [pk, { newest, point }]));
  }

  /** Returns the alerts that this reading may affect: all of them, when the states of the device may be outdated. */
  see(device: SeenDevice, point: Point, at: number, isBehind = false): { alert: WatchedAlert; value: unknown }[] | undefined {
    const calm = this.#calm.get(device.pk);
    if (calm && at < calm.newest) return undefined;
    const { value } = point;
    if (calm && !isBehind && calm.generation === this.generation && point.kind !== 's' && value !== null && at < calm.until) {
      if ((value > calm.above && value < calm.below) || value === calm.value) {
        calm.newest = at;
        calm.point = point;
        return undefined;
      }
    }
    return this.#look(device, point, at, isBehind);
  }

  #look(device: SeenDevice, point: Point, at: number, isBehind: boolean): { alert: WatchedAlert; value: unknown }[] | undefined {
    const found: { alert: WatchedAlert; value: unknown }[] = [];
    const number = point.kind === 's' || point.value === null ? Number.NaN : point.value;
    let [above, below, until] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const list of [this.everywhere, this.byDevice.get(device.device_id)]) {
      for (const alert of list ?? []) {
        const value = readingOf(point, alert.options.value);
        const known = alert.devices.get(device.pk);
        const before: Remembered | undefined = isBehind ? { newsAt: 0, at: 0, ...known, state: 'unsure' } : known;
        // The tables ignore such a reading. Remembering its outcome would hide the next one.
        const isPast = at < alert.armedAt || (before !== undefined && before.state !== 'unsure' && at < before.at);
        const after = isPast ? undefined : this.#after(alert, before, value, at);
        if (after) {
          alert.devices.set(device.pk, after);
          alert.isUnknown = false;
          found.push({ alert, value });
        }
        const { limit } = alert;
        if (limit !== undefined) {
          if (limit < number && limit > above) above = limit;
          if (limit > number && limit < below) below = limit;
        }
        const now = after ?? before;
        if (now?.state === 'triggered' && alert.rearm > 0) until = Math.min(until, alert.rearm === 1 ? 0 : now.newsAt + alert.rearm * 1000);
        if (now?.state === 'unsure' || isPast) until = Number.NEGATIVE_INFINITY;
      }
    }
    this.#calm.set(device.pk, { generation: this.generation, value: number, above, below, until, newest: at, point });
    return found.length > 0 ? found : undefined;
  }

  /** Returns the new state to remember; undefined when the reading changes nothing. */
  #after(alert: WatchedAlert, before: Remembered | undefined, value: unknown, at: number): Remembered | undefined {
    const known = before ?? { state: 'unknown', newsAt: 0, at: 0 };
    // The tables know since when a condition is pending, so that is not tracked here.
    const progress: DeviceProgress = { state: known.state === 'triggered' ? 'triggered' : 'ok', pendingSince: null };
    const next = stepDevice(progress, value, at, alert.options, this.#timeZone);
    const state = next.pendingSince === null ? next.state : 'pending';
    if (known.state === 'unsure') return { state, newsAt: at, at };
    if (state === 'triggered' && known.state === 'triggered') {
      const isDue = alert.rearm === 1 || (alert.rearm > 1 && at >= known.newsAt + alert.rearm * 1000);
      return isDue ? { state, newsAt: at, at } : undefined;
    }
    if (state === known.state) return undefined;
    // A device that was always in order gets no row, unless the alert has never been evaluated.
    if (known.state === 'unknown' && state !== 'triggered' && state !== 'pending' && !(alert.isUnknown && state === 'ok')) return undefined;
    return { state, newsAt: at, at };
  }

  /** Forgets the newest reading, which was not stored. */
  forget(devicePk: number): void {
    this.#calm.delete(devicePk);
    this.#earlier.delete(devicePk);
  }

  /** Forces a full check of the next reading, because the state was changed elsewhere. */
  doubt(devicePk: number): void {
    const calm = this.#calm.get(devicePk);
    if (calm) calm.until = Number.NEGATIVE_INFINITY;
  }

  /**
   * Checks again a later reading of this process after another process has settled an older one of the same device. Returns the later
   * reading if it is news now.
   */
  overtaken(devicePk: number, alert: WatchedAlert): { value: unknown; at: number } | undefined {
    const [calm, earlier] = [this.#calm.get(devicePk), this.#earlier.get(devicePk)];
    // After a reload, a stored reading that is checked again may be older than the newest one from before it.
    const last = calm && calm.newest >= (earlier?.newest ?? 0) ? calm : earlier;
    const told = alert.devices.get(devicePk);
    if (!last || !told || last.newest <= told.at || last.newest < alert.armedAt) return undefined;
    const value = readingOf(last.point, alert.options.value);
    const after = this.#after(alert, told, value, last.newest);
    if (!after) return undefined;
    alert.devices.set(devicePk, after);
    return { value, at: last.newest };
  }
}

export const limitOf = (options: DeviceAlertOptions): number | undefined =>
  /^(?:true|false)$/i.test(String(options.value)) ? 0.5 : numberOf(options.value);
