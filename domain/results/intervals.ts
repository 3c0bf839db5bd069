const part = /([+-]?\d+) (year|mon|day)s?/g;
const clock = /(?:^| )([+-]?)(\d+):(\d{2}):(\d{2})(?:\.(\d{1,6}))?$/;
const whole = /^(?:[+-]?\d+ (?:year|mon|day)s?(?: |$))*(?:[+-]?\d+:\d{2}:\d{2}(?:\.\d{1,6})?)?$/;
const daysIn: Record<string, number> = { year: 365, mon: 30, day: 1 };

/** 1.3: `1 day, 0:00:05`. Only the days carry a sign, so minus five seconds is `-1 day, 23:59:55`. */
export function durationText(days: number, seconds: number, micros = 0): string {
  const allSeconds = seconds + Math.floor(micros / 1e6);
  const allDays = days + Math.floor(allSeconds / 86400);
  const rest = allSeconds - Math.floor(allSeconds / 86400) * 86400;
  const fraction = micros - Math.floor(micros / 1e6) * 1e6;
  const two = (n: number) => String(n).padStart(2, '0');
  const time = `${Math.floor(rest / 3600)}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`;
  const tail = fraction === 0 ? '' : `.${String(fraction).padStart(6, '0')}`;
  return `${allDays === 0 ? '' : `${allDays} day${Math.abs(allDays) === 1 ? '' : 's'}, `}${time}${tail}`;
}

/** PostgreSQL's interval text in the form of 1.3; a year counts 365 days and a month 30, as scripts expect. */
export function intervalText(text: string): string {
  if (text === '' || !whole.test(text)) return text;
  let days = 0;
  for (const [, count, unit] of text.matchAll(part)) days += Number(count) * (daysIn[unit ?? ''] ?? 0);
  const [, sign, hours = '0', minutes = '0', seconds = '0', fraction = '0'] = clock.exec(text) ?? [];
  const direction = sign === '-' ? -1 : 1;
  const time = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return durationText(days, direction * time, direction * Number(fraction.padEnd(6, '0')));
}
