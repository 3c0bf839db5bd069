import { PointCollector } from './flatten.ts';
import { limits } from './limits.ts';
import { type ParsedUplink, Refused } from './record.ts';

type SenmlRecord = Record<string, unknown>;

const valueLabels = ['v', 'vs', 'vb', 'vd', 's'];
const knownLabels = new Set(['bn', 'bt', 'bu', 'bv', 'bs', 'bver', 'n', 'u', 'v', 'vs', 'vb', 'vd', 's', 't', 'ut']);
/** RFC 8428, 4.5.3: from here on times are absolute, below they are relative to now. */
const absoluteFrom = 2 ** 28;
const newestVersion = 10;
const isObject = (value: unknown): value is SenmlRecord => typeof value === 'object' && value !== null && !Array.isArray(value);

/** iot-behaviour 1.5: every element an object, at least one with a name and a value. */
export const isSenml = (pack: unknown[]): pack is SenmlRecord[] =>
  pack.every(isObject) &&
  pack.some(
    (record) => (Object.hasOwn(record, 'n') || Object.hasOwn(record, 'bn')) && valueLabels.some((label) => Object.hasOwn(record, label)),
  );

const numberOf = (record: SenmlRecord, label: string, otherwise: number): number => {
  const value = Object.hasOwn(record, label) ? record[label] : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
};
const textOf = (record: SenmlRecord, label: string, otherwise: string): string => {
  const value = Object.hasOwn(record, label) ? record[label] : undefined;
  return typeof value === 'string' ? value : otherwise;
};

/** RFC 8428. One bad record rejects only itself. */
export function readSenml(pack: SenmlRecord[], deviceId: string, receivedAt: number): ParsedUplink {
  if (pack.length > limits.entries)
    throw new Refused('too_many_points', `A pack has at most ${limits.entries} records; nothing of this one was stored.`);
  const collector = new PointCollector();
  const base = { name: '', time: 0, unit: '', value: 0, sum: 0 };
  for (const [index, record] of pack.entries()) {
    if (numberOf(record, 'bver', newestVersion) > newestVersion)
      throw new Refused('senml_version', `SenML versions above ${newestVersion} cannot be read.`);
    base.name = textOf(record, 'bn', base.name);
    base.time = numberOf(record, 'bt', base.time);
    base.unit = textOf(record, 'bu', base.unit);
    base.value = numberOf(record, 'bv', base.value);
    base.sum = numberOf(record, 'bs', base.sum);
    const name = base.name + textOf(record, 'n', '');
    const unknown = Object.keys(record).find((label) => label.endsWith('_') && !knownLabels.has(label));
    if (unknown) {
      collector.leaveOut('senml_unknown_label', name, `needs ${unknown.slice(0, 30)} to be understood`);
      continue;
    }
    const time = base.time + numberOf(record, 't', 0);
    collector.begin(index, time === 0 ? null : timeOf(time, receivedAt));
    readValue(collector, record, withoutOwner(name, deviceId), textOf(record, 'u', base.unit) || null, base);
  }
  return collector.result('senml');
}

const timeOf = (seconds: number, receivedAt: number) => Math.round(seconds * 1e6) + (seconds >= absoluteFrom ? 0 : receivedAt);

function readValue(
  collector: PointCollector,
  record: SenmlRecord,
  name: string,
  unit: string | null,
  base: { value: number; sum: number },
): void {
  const label = valueLabels.find((each) => Object.hasOwn(record, each));
  const value = label ? record[label] : undefined;
  if (label === 'v' && typeof value === 'number') collector.add(name, value + base.value, unit);
  else if (label === 's' && typeof value === 'number') collector.add(name, value + base.sum, unit);
  else if ((label === 'vs' || label === 'vd') && typeof value === 'string') collector.add(name, value, unit);
  else if (label === 'vb' && typeof value === 'boolean') collector.add(name, value, unit);
  else collector.leaveOut('senml_no_value', name, 'has neither a value nor a sum');
  if (label !== 's' && typeof record.s === 'number') collector.add(`${name}.sum`, record.s + base.sum, unit);
}

/** `roof-1:temperature` and `urn:dev:mac:0024befffe804ff1:temperature` are both `temperature` of this device. */
function withoutOwner(name: string, deviceId: string): string {
  if (name.startsWith(`${deviceId}:`)) return name.slice(deviceId.length + 1);
  return name.startsWith('urn:dev:') ? (/^urn:dev:[^:]*:(?:[^:]*:)?(.+)$/.exec(name)?.[1] ?? name) : name;
}
