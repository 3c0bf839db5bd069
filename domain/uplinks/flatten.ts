import { limits } from './limits.ts';
import { attributeName } from './names.ts';
import type { ParsedUplink, Point, PointKind, Position } from './record.ts';
import { Refused } from './record.ts';
import { utf8Length } from './utf8.ts';

/** Text for people and databases: without control characters, some of which no database keeps. */
const printable = (text: string) => text.replace(/\p{Cc}+/gu, ' ');
const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
const positionKeys = [
  ['latitude', 'longitude'],
  ['lat', 'lon'],
  ['lat', 'lng'],
  ['lat', 'long'],
] as const;

/** Collects the points of one message; values that cannot be stored are named in its errors, the rest is kept. */
export class PointCollector {
  readonly points: Point[] = [];
  readonly warnings = new Set<string>();
  readonly errors: string[] = [];
  position: Position | null = null;
  /** For one time the later point of a name wins. */
  #names = new Map<string, Point>();
  readonly #moments = new Map<number, Map<string, Point>>();
  #entry = 0;
  #at: number | null = null;

  /** Begins an entry: the following points belong to this time. */
  begin(entry: number, at: number | null): void {
    this.#entry = entry;
    this.#at = at;
    this.#names = at === null ? new Map() : (this.#moments.get(at) ?? new Map());
    if (at !== null) this.#moments.set(at, this.#names);
  }

  /** iot-behaviour 1.5, flattening: members by `.`, elements by their index; too deep or too long becomes JSON text. */
  flatten(value: object, prefix = '', depth = 1): void {
    if (!Array.isArray(value)) this.#locate(value as Record<string, unknown>);
    for (const key of Object.keys(value)) {
      const item = (value as Record<string, unknown>)[key];
      const path = prefix === '' ? key : `${prefix}.${key}`;
      if (!isContainer(item)) this.add(path, item);
      else if (depth >= limits.depth || (Array.isArray(item) && item.length > limits.arrayLength)) this.#addJson(path, item);
      else this.flatten(item, path, depth + 1);
    }
  }

  add(path: string, value: unknown, unit: string | null = null): void {
    if (value === null || value === undefined) return;
    if (typeof value === 'boolean') this.#keep(path, 'b', Number(value), null, unit);
    else if (typeof value !== 'number') this.#addText(path, 's', String(value), unit);
    else if (!Number.isFinite(value)) this.leaveOut('not_finite', path, 'is not a finite number');
    else {
      if (Number.isInteger(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER) this.warnings.add('precision');
      this.#keep(path, 'n', value, null, unit);
    }
  }

  leaveOut(code: string, path: string, why: string): void {
    this.errors.push(printable(`${code}: ${path.slice(0, 60)} ${why}`));
  }

  #addJson(path: string, value: object): void {
    if (Object.keys(value).length === 0) return;
    try {
      this.#addText(path, 'j', JSON.stringify(value), null);
    } catch (error) {
      // The value is nested deeper than the stack; other errors are passed on.
      if (!(error instanceof RangeError)) throw error;
      this.leaveOut('too_large', path, 'is nested too deeply');
    }
  }

  #addText(path: string, kind: PointKind, text: string, unit: string | null): void {
    if (utf8Length(text) > limits.textBytes) this.leaveOut('too_large', path, `has more than ${limits.textBytes} bytes`);
    else if (text.includes('\0')) this.leaveOut('bad_text', path, 'contains the character U+0000');
    else this.#keep(path, kind, null, text, unit);
  }

  #keep(path: string, kind: PointKind, value: number | null, text: string | null, given: string | null): void {
    const unit = given === null ? null : printable(given).trim().slice(0, limits.unitLength) || null;
    const name = attributeName(path);
    const known = this.#names.get(name);
    if (known) {
      this.warnings.add('name_collision');
      Object.assign(known, { kind, value, text, unit });
    } else if (name === '') this.leaveOut('bad_shape', path, 'has no name');
    else if (this.points.length >= limits.points)
      throw new Refused('too_many_points', `A message has at most ${limits.points} points; nothing of this one was stored.`);
    else {
      const point: Point = { name, kind, value, text, at: this.#at, entry: this.#entry, unit };
      this.#names.set(name, point);
      this.points.push(point);
    }
  }

  /** iot-behaviour 1.5, position: a pair at the same level and within range. */
  #locate(object: Record<string, unknown>): void {
    for (const [lat, lon] of positionKeys) {
      if (Object.hasOwn(object, lat) && Object.hasOwn(object, lon)) this.place(object[lat], object[lon]);
    }
  }

  place(latitude: unknown, longitude: unknown): void {
    if (typeof latitude !== 'number' || typeof longitude !== 'number') return;
    if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) this.position = { latitude, longitude };
  }

  result(encoding: ParsedUplink['encoding'], more: Partial<ParsedUplink> = {}): ParsedUplink {
    const { points, errors, position } = this;
    return { encoding, points, id: null, entryIds: null, meta: null, position, fport: null, warnings: [...this.warnings], errors, ...more };
  }
}
