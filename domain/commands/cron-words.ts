import type { Cron, DayRule } from './cron-parse.ts';

const monthWords = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const dayWords = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const dayWord = (day: number) => dayWords[day - 1] ?? '';

const two = (value: number) => String(value).padStart(2, '0');
const listed = (words: string[]) => (words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`);
const few = 6;

const ordinal = (value: number) => {
  const tail = value % 100 >= 11 && value % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');
  return `${value}${tail}`;
};

/** The step of equally spaced values that reach the end of the field; undefined for any other list. */
function stepOf(values: number[], most: number): number | undefined {
  const [first = 0, second] = values;
  if (second === undefined) return undefined;
  const step = second - first;
  const isEven = values.every((value, place) => value === first + place * step);
  return isEven && (values.at(-1) ?? 0) + step > most ? step : undefined;
}

/** iot-behaviour 3.6: an expression in words. */
export function cronSentence(cron: Cron, zone: string): string {
  const parts = [timeWords(cron), dayWordsOf(cron.day), monthWordsOf(cron.months), yearWords(cron.years)].filter(Boolean);
  return `${parts.join(', ')} (${zone}).`;
}

function timeWords({ seconds, minutes, hours }: Cron): string {
  const clock = (hour: number, minute: number) =>
    seconds[0] === 0 ? `${two(hour)}:${two(minute)}` : `${two(hour)}:${two(minute)}:${two(seconds[0] ?? 0)}`;
  if (seconds.length === 1 && minutes.length * hours.length <= few) {
    return `At ${listed(hours.flatMap((hour) => minutes.map((minute) => clock(hour, minute))))}`;
  }
  const rest = hours.length === 24 ? '' : ` ${hourWords(hours)}`;
  if (seconds.length > 1)
    return `${every(seconds, 59, 'second')}${minutes.length === 60 ? '' : ` of ${every(minutes, 59, 'minute').toLowerCase()}`}${rest}`;
  const at = seconds[0] === 0 ? '' : ` at second ${seconds[0]}`;
  if (minutes.length === 1) {
    const step = stepOf(hours, 23);
    const when = hours.length === 24 ? 'Every hour' : step && hours[0] === 0 ? `Every ${step} hours` : `Every hour ${hourWords(hours)}`;
    return `${when} at minute ${minutes[0]}${at}`;
  }
  return `${every(minutes, 59, 'minute')}${at}${rest}`;
}

function every(values: number[], most: number, unit: string): string {
  if (values.length === most + 1) return `Every ${unit}`;
  const step = stepOf(values, most);
  if (step !== undefined && values.length > 1) return `Every ${step} ${unit}s${values[0] === 0 ? '' : ` from ${unit} ${values[0]}`}`;
  return `At ${unit}${values.length > 1 ? 's' : ''} ${listed(values.map(String))}`;
}

function hourWords(hours: number[]): string {
  const step = stepOf(hours, 23);
  if (step !== undefined && step > 1) return `in every ${ordinal(step)} hour${hours[0] === 0 ? '' : ` from ${two(hours[0] ?? 0)}:00`}`;
  const isRun = hours.every((hour, place) => hour === (hours[0] ?? 0) + place);
  if (isRun && hours.length > 1) return `from ${two(hours[0] ?? 0)}:00 to ${two(hours.at(-1) ?? 0)}:59`;
  return `in the hours ${listed(hours.map(two))}`;
}

function dayWordsOf(rule: DayRule): string {
  switch (rule.kind) {
    case 'month-days': {
      if (rule.days.length === 31) return 'every day';
      const step = stepOf(rule.days, 31);
      if (step !== undefined && rule.days.length > 2) return `every ${step} days from the ${ordinal(rule.days[0] ?? 1)} of the month`;
      return `on the ${listed(rule.days.map(ordinal))} of the month`;
    }
    case 'last-day': {
      const which = rule.before === 0 ? 'last day' : `${ordinal(rule.before)} day before the last`;
      return rule.isWeekday
        ? rule.before === 0
          ? 'on the last weekday of the month'
          : `on the weekday nearest the ${which} of the month`
        : `on the ${which} of the month`;
    }
    case 'nearest-weekday':
      return `on the weekday nearest the ${ordinal(rule.day)} of the month`;
    case 'week-days':
      if (rule.days.length === 7) return 'every day';
      if (rule.days.join() === '2,3,4,5,6') return 'Monday to Friday';
      return `on ${listed(rule.days.map(dayWord))}`;
    case 'last-week-day':
      return `on the last ${dayWord(rule.day)} of the month`;
    case 'nth-week-day':
      return `on the ${ordinal(rule.nth)} ${dayWord(rule.day)} of the month`;
  }
}

function monthWordsOf(months: number[]): string {
  if (months.length === 12) return '';
  const step = stepOf(months, 12);
  if (step !== undefined && months.length > 2) return `every ${step} months from ${monthWords[(months[0] ?? 1) - 1]}`;
  return `in ${listed(months.map((month) => monthWords[month - 1] ?? ''))}`;
}

function yearWords(years: number[] | null): string {
  if (!years) return '';
  const isRun = years.length > 2 && years.every((year, place) => year === (years[0] ?? 0) + place);
  return isRun
    ? `from ${years[0]} to ${years.at(-1)}`
    : `in ${listed(years.slice(0, few).map(String))}${years.length > few ? ' and later' : ''}`;
}
