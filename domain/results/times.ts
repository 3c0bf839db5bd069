const dateTimeText = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.(\d+))?(?: ?(Z|[+-]\d{2}(?::?\d{2}(?::\d{2})?)?))?$/;
const timeText = /^(\d{2}:\d{2}:\d{2})(?:\.(\d+))?$/;

/** Microseconds are cut to milliseconds, not rounded; no fraction when they are zero (server-behaviour 1.3). */
function milliseconds(fraction: string | undefined): string {
  if (fraction === undefined || /^0*$/.test(fraction.slice(0, 6))) return '';
  return `.${fraction.slice(0, 3).padEnd(3, '0')}`;
}

function zone(offset: string | undefined): string {
  if (offset === undefined) return '';
  const [, sign = '+', hours = '00', minutes = '00', seconds = ''] = /^([+-])(\d{2}):?(\d{2})?(:\d{2})?$/.exec(offset) ?? [];
  return hours === '00' && minutes === '00' && seconds === '' ? 'Z' : `${sign}${hours}:${minutes}${seconds}`;
}

/** 1.3: a database's date-time text as ISO 8601. Any other text (infinity, years BC) stays as it is. */
export function isoDateTime(text: string): string {
  const [, day, time, fraction, offset] = dateTimeText.exec(text) ?? [];
  return day === undefined ? text : `${day}T${time}${milliseconds(fraction)}${zone(offset)}`;
}

export const isoTime = (text: string): string => {
  const [, time, fraction] = timeText.exec(text) ?? [];
  return time === undefined ? text : time + milliseconds(fraction);
};

/** A Date has milliseconds only; an invalid one has no text. */
export function isoInstant(date: Date): string | null {
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace('.000Z', 'Z');
}
