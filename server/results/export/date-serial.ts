import type { ByteSink } from '../../wire/byte-sink.ts';
import type { DateParts } from './date-parts.ts';

const day = 86_400_000;
/** Days from the spreadsheets' day 0 to 1970. */
const epoch = 25_569;
/** Before March 1900 spreadsheets disagree about the leap year. */
const firstSafeDay = 61;

/** The day's number in a spreadsheet, or -1 for days that have none. */
function daySerial({ year, month, day: dayOfMonth }: DateParts): number {
  if (year < 1900) return -1;
  const serial = Date.UTC(year, month - 1, dayOfMonth) / day + epoch;
  return serial < firstSafeDay ? -1 : serial;
}

/** The same with a cache of the last day: neighbouring rows mostly share it. */
export function daySerials(): (parts: DateParts) => number {
  let last = -1;
  let serial = -1;
  return (parts) => {
    const key = (parts.year * 16 + parts.month) * 32 + parts.day;
    if (key !== last) {
      last = key;
      serial = daySerial(parts);
    }
    return serial;
  };
}

/** The day and, as ten decimals of it, the time: enough for every millisecond. */
export function writeSerial(serial: number, parts: DateParts, isDayOnly: boolean, out: ByteSink): void {
  writeDigits(serial, String(serial).length, out);
  if (isDayOnly) return;
  const millis = ((parts.hour * 60 + parts.minute) * 60 + parts.second) * 1000 + parts.millisecond;
  if (millis === 0) return;
  const decimals = Math.round((millis / day) * 1e10);
  out.byte(0x2e);
  writeDigits(Math.floor(decimals / 1e5), 5, out);
  writeDigits(decimals % 1e5, 5, out);
}

function writeDigits(value: number, width: number, out: ByteSink): void {
  out.reserve(width);
  const { bytes } = out;
  let rest = value | 0;
  for (let at = out.length + width - 1; at >= out.length; at--) {
    const next = (rest / 10) | 0;
    bytes[at] = 0x30 + rest - next * 10;
    rest = next;
  }
  out.length += width;
}
