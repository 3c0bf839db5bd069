/** A5: the headers of the schedule builder. */
export const headers = ['Minutes', 'Hourly', 'Daily', 'Weekly', 'Monthly', 'One Time'] as const;
export type Header = (typeof headers)[number];
type RecurringHeader = Exclude<Header, 'One Time'>;

export const weekdays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;
export type Weekday = (typeof weekdays)[number];

/** A5: the least and the greatest value of each number in the builder. */
export const ranges = {
  minutes: { min: 1, max: 59 },
  hours: { min: 1, max: 23 },
  days: { min: 1, max: 31 },
  day: { min: 1, max: 31 },
  before: { min: 1, max: 30 },
} as const;

/** The choices under each header; switching headers keeps the choices of the others. */
export interface CronPlan {
  header: RecurringHeader;
  minutes: number;
  hours: number;
  daily: 'every' | 'weekday';
  days: number;
  weekly: readonly Weekday[];
  monthly: 'day' | 'last' | 'lastWeekday' | 'before';
  day: number;
  before: number;
  /** The time of day of daily, weekly and monthly runs. */
  hour: number;
  minute: number;
}

export const firstPlan: CronPlan = {
  header: 'Daily',
  minutes: 5,
  hours: 1,
  daily: 'every',
  days: 1,
  weekly: ['MON'],
  monthly: 'day',
  day: 1,
  before: 1,
  hour: 0,
  minute: 0,
};

const builderErrors = { none: 'Atleast one header is required.', unknown: 'Invalid header' } as const;

/** A5: the fault of the list of headers in an address; null when all of them exist. */
export function headersFault(asked: readonly string[]): string | null {
  if (asked.length === 0) return builderErrors.none;
  return asked.every((one) => headers.some((header) => header === one)) ? null : builderErrors.unknown;
}

/** The builder's expression, seven fields: seconds, minutes, hours, day of month, month, day of week, year. */
export function cronOf(plan: CronPlan): string {
  const { minute, hour } = plan;
  switch (plan.header) {
    case 'Minutes':
      return `0 0/${plan.minutes} * 1/1 * ? *`;
    case 'Hourly':
      return `0 0 0/${plan.hours} 1/1 * ? *`;
    case 'Daily':
      return plan.daily === 'weekday' ? `0 ${minute} ${hour} ? * MON-FRI *` : `0 ${minute} ${hour} 1/${plan.days} * ? *`;
    case 'Weekly':
      return `0 ${minute} ${hour} ? * ${weekdays.filter((day) => plan.weekly.includes(day)).join(',')} *`;
    case 'Monthly':
      return monthlyCron(plan);
  }
}

function monthlyCron({ monthly, day, before, hour, minute }: CronPlan): string {
  if (monthly === 'day') return `0 ${minute} ${hour} ${day} 1/1 ? *`;
  const when = monthly === 'last' ? 'L' : monthly === 'lastWeekday' ? 'LW' : `L-${before}`;
  return `0 ${minute} ${hour} ${when} * ? *`;
}

/** The builder's plan for an expression; null for one that only free text can express. */
export function planOf(cron: string, kept: CronPlan = firstPlan): CronPlan | null {
  const [second, minute = '', hour = '', day = '', month = '', weekday = '', year = '*'] = fieldsOf(cron);
  if (Number(second) !== 0 || year !== '*') return null;
  const isEveryDay = weekday === '?' && (day === '1/1' || day === '*') && month === '*';
  if (isEveryDay && hour === '*') return withNumber({ ...kept, header: 'Minutes' }, 'minutes', step(minute));
  if (isEveryDay && minute === '0') {
    const hours = step(hour);
    if (hours !== null) return withNumber({ ...kept, header: 'Hourly' }, 'hours', hours);
  }
  const time = { hour: within(hour, 23), minute: within(minute, 59) };
  if (time.hour === null || time.minute === null) return null;
  const timed = { ...kept, hour: time.hour, minute: time.minute };
  if (day === '?' && month === '*') return weekdayPlan(timed, weekday);
  if (weekday !== '?') return null;
  return monthPlan(timed, day, month);
}

const weekdayPlan = (plan: CronPlan, weekday: string): CronPlan | null => {
  if (weekday === 'MON-FRI') return { ...plan, header: 'Daily', daily: 'weekday' };
  const days = weekday.split(',');
  const known = weekdays.filter((day) => days.includes(day));
  return known.length === days.length ? { ...plan, header: 'Weekly', weekly: known } : null;
};

function monthPlan(plan: CronPlan, day: string, month: string): CronPlan | null {
  const isEveryMonth = month === '*' || month === '1/1';
  if (!isEveryMonth) return null;
  const every = /^1\/(\d+)$/.exec(day)?.[1] ?? (day === '*' ? '1' : null);
  if (every !== null && month === '*') return withNumber({ ...plan, header: 'Daily', daily: 'every' }, 'days', Number(every));
  if (day === 'L') return { ...plan, header: 'Monthly', monthly: 'last' };
  if (day === 'LW') return { ...plan, header: 'Monthly', monthly: 'lastWeekday' };
  const before = /^L-(\d+)$/.exec(day)?.[1];
  if (before !== undefined) return withNumber({ ...plan, header: 'Monthly', monthly: 'before' }, 'before', Number(before));
  return withNumber({ ...plan, header: 'Monthly', monthly: 'day' }, 'day', within(day, 31));
}

/** Six fields are accepted, and so is the default, whose last two fields are written together. */
function fieldsOf(cron: string): string[] {
  const fields = cron.trim().toUpperCase().split(/\s+/);
  const last = fields.at(-1) ?? '';
  return fields.length === 6 && last.startsWith('?') && last.length > 1 ? [...fields.slice(0, 5), '?', last.slice(1)] : fields;
}

const step = (field: string): number | null => {
  const steps = /^(?:0|\*)\/(\d+)$/.exec(field)?.[1] ?? (field === '*' ? '1' : undefined);
  return steps === undefined ? null : Number(steps);
};

const within = (field: string, most: number): number | null => (/^\d{1,2}$/.test(field) && Number(field) <= most ? Number(field) : null);

function withNumber(plan: CronPlan, key: keyof typeof ranges, value: number | null): CronPlan | null {
  const { min, max } = ranges[key];
  return value === null || value < min || value > max ? null : { ...plan, [key]: value };
}
