import type { Wall } from '../parameters/calendar.ts';
import { operators } from './command.ts';
import { readCondition } from './condition.ts';
import { nextRuns } from './cron-next.ts';
import { CronFault, parseCron } from './cron-parse.ts';
import { cronSentence } from './cron-words.ts';
import { type Comparison, type Condition, defaultCron, defaultTimezone, type ScheduleInput } from './schedule.ts';
import { afterGap, isZone, momentsOf, wallTime } from './zone.ts';

type Fault = { fault: string };

/** A parsed schedule: `next` are its next runs. */
export interface TimedSchedule {
  type: 'o' | 'r';
  schedule: string;
  timezone: string;
  sentence: string;
  next: number[];
}

/** A one-time schedule may be this late when it arrives: clocks differ, and people press "now". */
const pastGraceMs = 60_000;
const shownRuns = 5;

const two = (value: number) => String(value).padStart(2, '0');
const wallText = ({ year, month, day, hour, minute, second }: Wall) =>
  `${String(year).padStart(4, '0')}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`;

/** A5, A9 and iot-behaviour 3.6. */
export function readTimes(
  type: string,
  text: string | null | undefined,
  zone: string | null | undefined,
  after: number,
  { mayBePast = false } = {},
): TimedSchedule | Fault {
  const timezone = zone?.trim() || defaultTimezone;
  if (!isZone(timezone)) return { fault: `There is no time zone "${timezone.slice(0, 60)}".` };
  if (type === 'o') return readOnce(text?.trim() ?? '', timezone, after, mayBePast);
  return type === 'r' ? readCron(text?.trim() || defaultCron, timezone, after, 'r') : { fault: 'type must be o, r or e' };
}

function readCron(text: string, timezone: string, after: number, type: 'o' | 'r'): TimedSchedule | Fault {
  try {
    const cron = parseCron(text);
    const next = nextRuns(cron, timezone, after, type === 'o' ? 1 : shownRuns);
    if (next.length === 0) return { fault: 'This schedule has no run in the future.' };
    return { type, schedule: cron.text, timezone, sentence: cronSentence(cron, timezone), next };
  } catch (error) {
    if (error instanceof CronFault) return { fault: error.message };
    throw error;
  }
}

function readOnce(text: string, timezone: string, after: number, mayBePast: boolean): TimedSchedule | Fault {
  if (text.split(/\s+/).length >= 6) return readCron(text, timezone, after - pastGraceMs, 'o');
  const at = momentOf(text, timezone);
  if (at === undefined) return { fault: 'A one-time schedule is a time such as 2026-01-31 08:30:00.' };
  if (!mayBePast && at < after - pastGraceMs) return { fault: 'The time of a one-time schedule must not be in the past.' };
  const schedule = wallText(wallTime(at, timezone));
  return { type: 'o', schedule, timezone, sentence: `Once, at ${schedule} (${timezone}).`, next: [at] };
}

/** A wall time of the zone, or a time with its own offset. */
function momentOf(text: string, timezone: string): number | undefined {
  const read = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/.exec(text);
  if (!read) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = read.slice(1, 7).map((part) => Number(part ?? 0));
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  if (!isReal || year < 1970) return undefined;
  if (read[7]) return Math.floor(Date.parse(text.replace(' ', 'T')) / 1000) * 1000;
  const wall = { year, month, day, hour, minute, second };
  return momentsOf(wall, timezone)[0] ?? afterGap(wall, timezone);
}

/** The condition of an event schedule: from its own fields, or grouped. A condition that is one comparison stands in the fields as well. */
export function readEvent(
  input: Pick<ScheduleInput, 'attribute' | 'operator' | 'value' | 'condition'>,
): { condition: Condition; simple: Comparison | null } | Fault {
  if (input.condition !== undefined && input.condition !== null) {
    const condition = readCondition(input.condition);
    return 'fault' in condition ? condition : { condition, simple: isComparison(condition) ? condition : null };
  }
  const { attribute, operator, value } = input;
  const condition = readCondition({ attribute, operator, value });
  return 'fault' in condition ? condition : { condition, simple: condition as Comparison };
}

const isComparison = (condition: Condition): condition is Comparison =>
  'operator' in condition && operators.some((each) => each === condition.operator);

export function conditionSentence(condition: Condition): string {
  if ('and' in condition) return condition.and.map(inner).join(' and ');
  if ('or' in condition) return condition.or.map(inner).join(' or ');
  const { attribute, operator, value } = condition;
  if (operator === 'between') return `${attribute} is between ${value[0]} and ${value[1]}`;
  if (operator === 'proximity') return `${attribute} has ${value.words.join(', ')} within ${value.between} words`;
  return `${attribute} ${operator} ${value}`;
}

const inner = (condition: Condition) =>
  'and' in condition || 'or' in condition ? `(${conditionSentence(condition)})` : conditionSentence(condition);
