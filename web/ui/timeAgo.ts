const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const month = (365.25 / 12) * day;
const year = 365.25 * day;

/** The texts up to each distance; `%d` is the distance in the unit. The limits are those of moment. */
const steps: readonly { below: number; unit: number; text: string }[] = [
  { below: 45 * second, unit: second, text: 'just now' },
  { below: 90 * second, unit: minute, text: 'a minute' },
  { below: 45 * minute, unit: minute, text: '%d minutes' },
  { below: 90 * minute, unit: hour, text: 'an hour' },
  { below: 22 * hour, unit: hour, text: '%d hours' },
  { below: 36 * hour, unit: day, text: 'a day' },
  { below: 26 * day, unit: day, text: '%d days' },
  { below: 46 * day, unit: month, text: 'a month' },
  { below: 320 * day, unit: month, text: '%d months' },
  { below: 548 * day, unit: year, text: 'a year' },
  { below: Number.POSITIVE_INFINITY, unit: year, text: '%d years' },
];

/** Q2: "just now", "a minute ago", "5 minutes ago" …; less than a minute in the future counts as now. */
export function timeAgo(at: Date, now: Date): string {
  const distance = Math.abs(now.getTime() - at.getTime());
  const step = steps.find(({ below }) => distance < below);
  if (!step) return '';
  if (step.text === 'just now') return step.text;
  const text = step.text.replace('%d', String(Math.max(2, Math.round(distance / step.unit))));
  return at > now ? `in ${text}` : `${text} ago`;
}
