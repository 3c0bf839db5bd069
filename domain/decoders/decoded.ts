import { PointCollector } from '../uplinks/flatten.ts';
import { limits } from '../uplinks/limits.ts';
import { settleTimes } from '../uplinks/parse.ts';
import { type ParsedUplink, Refused } from '../uplinks/record.ts';
import { readTime } from '../uplinks/times.ts';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * iot-behaviour 4.2: the output of a decoder becomes points by the rules of every payload (1.5). An entry may carry `ts`; an `id` is an
 * ordinary reading, because codecs use that name for ids of sensors. Faults are named in the errors.
 */
export function readDecoded(data: unknown, receivedAt: number, oldest: number): ParsedUplink {
  const collector = new PointCollector();
  try {
    if (Array.isArray(data)) readEntries(collector, data);
    else if (isObject(data)) readEntry(collector, data, 0);
    else throw new Refused('bad_shape', 'decodeUplink returned no data.');
    return settleTimes(collector.result('raw'), { receivedAt, oldest });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { code, message } = error.refusal;
    return new PointCollector().result('raw', { errors: [code === 'bad_shape' ? `decoder_no_data: ${message}` : `${code}: ${message}`] });
  }
}

function readEntries(collector: PointCollector, entries: unknown[]): void {
  if (entries.length > limits.entries) throw new Refused('too_many_points', `A decoder returns at most ${limits.entries} entries.`);
  entries.forEach((entry, index) => {
    if (!isObject(entry)) throw new Refused('bad_shape', 'decodeUplink returned a list of something else than objects.');
    readEntry(collector, entry, index);
  });
}

function readEntry(collector: PointCollector, entry: Record<string, unknown>, index: number): void {
  const { ts, ...readings } = entry;
  const isTimed = Object.hasOwn(entry, 'ts');
  collector.begin(index, isTimed ? readTime(ts) : null);
  const { values } = readings;
  collector.flatten(isTimed && isObject(values) && Object.keys(readings).length === 1 ? values : readings);
}
