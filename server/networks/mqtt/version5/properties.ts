import { storableJson } from '@telltale/domain/uplinks/storable-json.ts';

/** What a device sends along with a message; a name that comes several times has a list. */
export type UserProperties = Record<string, string | string[]>;

/** Identifiers of the properties of PUBLISH (3.3.2.3) and how long their values are; pairs and texts carry their length. */
const fixedBytes: Record<number, number> = { 1: 1, 2: 4 };
const texts = [0x03, 0x08, 0x09];
const userProperty = 0x26;
/** More is left out: these are notes, not readings. */
const mostPairs = 64;
const mostBytes = 4096;

/** As mqtt-packet reads them, or as the publish lane does. */
export function storableProperties(given: Record<string, unknown> | undefined): UserProperties | undefined {
  if (!given) return undefined;
  const kept: [string, unknown][] = [];
  let left = mostBytes;
  for (const [name, value] of Object.entries(given).slice(0, mostPairs)) {
    left -= name.length + (Array.isArray(value) ? value.join('').length : String(value).length);
    if (left >= 0) kept.push([name, value]);
  }
  const text = kept.length === 0 ? null : storableJson(Object.fromEntries(kept));
  return text === null ? undefined : (JSON.parse(text) as UserProperties);
}

/**
 * The user properties in the bytes of PUBLISH properties; null when there is something that the broker has to see (a topic alias)
 * or refuse.
 */
export function readUserProperties(bytes: Buffer, start: number, end: number): UserProperties | undefined | null {
  const found: UserProperties = Object.create(null) as UserProperties;
  let count = 0;
  let at = start;
  const text = (): string | null => {
    const from = at + 2;
    if (from > end) return null;
    at = from + bytes.readUInt16BE(at);
    return at > end ? null : bytes.toString('utf8', from, at);
  };
  while (at < end) {
    const identifier = bytes[at++] as number;
    const fixed = fixedBytes[identifier];
    if (fixed !== undefined) at += fixed;
    else if (texts.includes(identifier)) {
      if (text() === null) return null;
    } else if (identifier === userProperty) {
      const name = text();
      const value = name === null ? null : text();
      if (name === null || value === null) return null;
      if (++count > mostPairs) continue;
      const known = found[name];
      found[name] = known === undefined ? value : [known, value].flat();
    } else return null;
  }
  if (at !== end) return null;
  return count === 0 ? undefined : storableProperties(found);
}
