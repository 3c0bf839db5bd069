import { isoDateTime } from '@telltale/domain/results/times.ts';
import type { ByteSink, Bytes } from '../byte-sink.ts';
import { jsonString } from '../values.ts';
import { writeDigits } from './print-number.ts';

const quote = 0x22;
const [dash, letterT, letterZ, colon, point] = [0x2d, 0x54, 0x5a, 0x3a, 0x2e];

/** Days from 1970-01-01 to 2000-01-01, where PostgreSQL begins to count. */
const epochDays = 10_957;
const dayMicros = 86_400_000_000;
/** Beyond this upper half a time in microseconds is no longer exact as a double: before 1715 or after 2285. */
const exactUpper = 1 << 21;

interface Day {
  year: number;
  month: number;
  day: number;
}

/** The proleptic Gregorian day so many days after 1970-01-01, for any year. */
function dayOf(days: number): Day {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const inEra = shifted - era * 146_097;
  const yearOfEra = Math.floor((inEra - Math.floor(inEra / 1460) + Math.floor(inEra / 36_524) - Math.floor(inEra / 146_096)) / 365);
  const inYear = inEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * inYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const day = inYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

const two = (value: number) => String(value).padStart(2, '0');

/** A day as PostgreSQL prints it, and whether it is before Christ, which PostgreSQL prints at the very end. */
function dayText(days: number): { text: string; isBefore: boolean } {
  const { year, month, day } = dayOf(days);
  const isBefore = year <= 0;
  return { text: `${String(isBefore ? 1 - year : year).padStart(4, '0')}-${two(month)}-${two(day)}`, isBefore };
}

function writeDay(days: number, out: ByteSink): void {
  const { year, month, day } = dayOf(days);
  writeDigits(year, 4, out);
  out.bytes[out.length++] = dash;
  writeDigits(month, 2, out);
  out.bytes[out.length++] = dash;
  writeDigits(day, 2, out);
}

/** Readings come in order: most rows have the same day as the row before. */
let lastDay = Number.NaN;
const lastDayBytes = Buffer.alloc(10);

function writeKnownDay(days: number, out: ByteSink): void {
  if (days === lastDay) {
    for (let i = 0; i < 10; i++) out.bytes[out.length++] = lastDayBytes[i] as number;
    return;
  }
  const from = out.length;
  writeDay(days, out);
  out.bytes.copy(lastDayBytes, 0, from, out.length);
  lastDay = days;
}

const timestampWriter =
  (hasZone: boolean) =>
  ({ view }: Bytes, at: number, _length: number, out: ByteSink): void => {
    const upper = view.getInt32(at);
    if (upper >= exactUpper || upper <= -exactUpper) {
      out.text(jsonString(isoDateTime(farTime(view.getBigInt64(at), hasZone))));
      return;
    }
    const micros = upper * 2 ** 32 + view.getUint32(at + 4);
    const days = Math.floor(micros / dayMicros);
    const inDay = micros - days * dayMicros;
    const seconds = Math.floor(inDay / 1e6);
    const fraction = inDay - seconds * 1e6;
    out.bytes[out.length++] = quote;
    writeKnownDay(days + epochDays, out);
    out.bytes[out.length++] = letterT;
    writeDigits((seconds / 3600) | 0, 2, out);
    out.bytes[out.length++] = colon;
    writeDigits(((seconds / 60) | 0) % 60, 2, out);
    out.bytes[out.length++] = colon;
    writeDigits(seconds % 60, 2, out);
    if (fraction > 0) {
      out.bytes[out.length++] = point;
      writeDigits((fraction / 1000) | 0, 3, out);
    }
    if (hasZone) out.bytes[out.length++] = letterZ;
    out.bytes[out.length++] = quote;
  };

export const writeTimestamp = timestampWriter(false);
export const writeTimestampWithZone = timestampWriter(true);

const [latest, earliest] = [2n ** 63n - 1n, -(2n ** 63n)];

/** A time as PostgreSQL prints it: `0044-03-15 10:00:00.5+00 BC`, `infinity`. */
function farTime(micros: bigint, hasZone: boolean): string {
  if (micros === latest) return 'infinity';
  if (micros === earliest) return '-infinity';
  const perDay = BigInt(dayMicros);
  const inDay = ((micros % perDay) + perDay) % perDay;
  const { text, isBefore } = dayText(Number((micros - inDay) / perDay) + epochDays);
  const seconds = Number(inDay / 1_000_000n);
  const fraction = String(inDay % 1_000_000n)
    .padStart(6, '0')
    .replace(/0+$/, '');
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return `${text} ${time}${fraction ? `.${fraction}` : ''}${hasZone ? '+00' : ''}${isBefore ? ' BC' : ''}`;
}

const lastInt = 2 ** 31 - 1;

export function writeBinaryDate({ view }: Bytes, at: number, _length: number, out: ByteSink): void {
  const days = view.getInt32(at);
  if (days === lastInt || days === -lastInt - 1) out.text(days > 0 ? '"infinity"' : '"-infinity"');
  else {
    const { text, isBefore } = dayText(days + epochDays);
    out.text(`"${text}${isBefore ? ' BC' : ''}"`);
  }
}
