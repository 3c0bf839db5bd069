import { PointCollector } from './flatten.ts';
import { limits } from './limits.ts';
import { type ParsedUplink, Refused } from './record.ts';
import { isSenml, readSenml } from './senml.ts';
import { storableJson } from './storable-json.ts';
import { readTime } from './times.ts';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const timedKeys = ['ts', 'values', 'id', 'meta'];

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused('bad_json', 'The payload is not valid JSON.');
  }
}

/** iot-behaviour 1.5: one object, a timed record, a batch of them, a SenML pack, or a scalar. */
export function readJson(value: unknown, deviceId: string, receivedAt: number): ParsedUplink {
  if (Array.isArray(value)) {
    if (isSenml(value)) return readSenml(value, deviceId, receivedAt);
    return readBatch(value);
  }
  const collector = new PointCollector();
  if (isObject(value)) return collector.result('json', readEntry(collector, value, 0));
  if (value === null) throw new Refused('bad_shape', 'null is not a reading.');
  collector.add('value', value);
  return collector.result('json');
}

/** Entries of a batch carry their own times, and ids of their own. */
function readBatch(entries: unknown[]): ParsedUplink {
  if (entries.length === 0) throw new Refused('bad_shape', 'The list is empty.');
  if (entries.length > limits.entries)
    throw new Refused('too_many_points', `A batch has at most ${limits.entries} entries; nothing of this one was stored.`);
  const collector = new PointCollector();
  const read = entries.map((entry, index) => {
    if (!isObject(entry)) throw new Refused('bad_shape', 'A list must contain objects.');
    return readEntry(collector, entry, index);
  });
  if (read.length === 1) return collector.result('json', read[0]);
  const entryIds = read.map(({ id }) => id ?? null);
  return collector.result('json', { entryIds: entryIds.some((id) => id !== null) ? entryIds : null });
}

function readEntry(collector: PointCollector, entry: Record<string, unknown>, index: number): Partial<ParsedUplink> {
  const { ts, id, values, meta } = entry;
  const isTimed = isObject(values) && Object.keys(entry).every((key) => timedKeys.includes(key));
  collector.begin(index, Object.hasOwn(entry, 'ts') ? readTime(ts) : null);
  const isBare = !Object.hasOwn(entry, 'ts') && !Object.hasOwn(entry, 'id');
  collector.flatten(isTimed ? values : isBare ? entry : without(entry));
  return { id: Object.hasOwn(entry, 'id') ? readId(id) : null, meta: isTimed && isObject(meta) ? storable(meta) : null };
}

const without = (entry: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(entry).filter(([key]) => key !== 'ts' && key !== 'id'));

function readId(id: unknown): string | null {
  if (id === null) return null;
  const text = typeof id === 'string' || typeof id === 'number' ? String(id) : '';
  if (text === '' || text.length > limits.messageIdLength || text.includes('\0'))
    throw new Refused('bad_shape', `id must be a text of 1 to ${limits.messageIdLength} characters.`);
  return text;
}

function storable(meta: Record<string, unknown>): Record<string, unknown> | null {
  const text = storableJson(meta);
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}
