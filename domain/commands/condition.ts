import { type Operator, operators, type Scalar } from './command.ts';
import { compareNumbers, compareReported, type Reported } from './compare.ts';
import type { Comparison, Condition } from './schedule.ts';

/** A9. */
export const conditionLimits = { depth: 3, items: 50, words: 10, wordsBetween: { least: 2, most: 10 } } as const;

type Read<T> = T | { fault: string };
const isFault = (read: object): read is { fault: string } => 'fault' in read;
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value !== '');

/** design 8.1: groups of comparisons by and / or, three deep. */
export function readCondition(given: unknown, depth = 1): Read<Condition> {
  if (!isObject(given)) return { fault: 'A condition is a comparison, or a group {and: […]} or {or: […]}.' };
  const word = 'and' in given ? 'and' : 'or' in given ? 'or' : undefined;
  if (!word) return readComparison(given);
  if (depth > conditionLimits.depth) return { fault: `Groups may be at most ${conditionLimits.depth} deep.` };
  const items = given[word];
  if (!Array.isArray(items) || items.length === 0) return { fault: 'A group needs at least one condition.' };
  if (items.length > conditionLimits.items) return { fault: `A group has at most ${conditionLimits.items} conditions.` };
  const read: Condition[] = [];
  for (const item of items) {
    const one = readCondition(item, depth + 1);
    if (isFault(one)) return one;
    read.push(one);
  }
  return word === 'and' ? { and: read } : { or: read };
}

function readComparison({ attribute, operator, value }: Record<string, unknown>): Read<Comparison> {
  if (typeof attribute !== 'string' || attribute.trim() === '' || attribute.length > 200) return { fault: 'attribute is required' };
  const name = attribute.trim();
  if (operator === 'between') return readBetween(name, value);
  if (operator === 'proximity') return readProximity(name, value);
  const known = operators.find((each) => each === operator);
  if (!known) return { fault: `operator must be one of ${[...operators, 'between', 'proximity'].join(', ')}` };
  if (!isScalar(value) || String(value).length > 4096) return { fault: 'value is required' };
  return { attribute: name, operator: known, value };
}

/** A9: dates and times are kept as YYYY-MM-DD, HH:mm:ss and both together. */
function momentOf(value: Scalar): number | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d{2}:\d{2}:\d{2}$/.test(text)) return Date.parse(`1970-01-01T${text}Z`);
  if (!/^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(text)) return undefined;
  const iso = text.replace(' ', 'T');
  const at = Date.parse(iso.length === 10 || /(Z|[+-]\d{2}:\d{2})$/.test(iso) ? iso : `${iso}Z`);
  return Number.isNaN(at) ? undefined : at;
}

const numberOf = (value: Scalar): number | undefined => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined;
};

function readBetween(attribute: string, value: unknown): Read<Comparison> {
  if (!Array.isArray(value) || value.length !== 2 || !isScalar(value[0]) || !isScalar(value[1]))
    return { fault: 'between takes two values: from and to' };
  const [from, to] = value as [Scalar, Scalar];
  const [a, b] = [numberOf(from) ?? momentOf(from), numberOf(to) ?? momentOf(to)];
  if (a === undefined || b === undefined || (numberOf(from) === undefined) !== (numberOf(to) === undefined))
    return { fault: 'between takes two numbers or two dates' };
  if (a > b) return { fault: 'Invalid range' };
  return { attribute, operator: 'between', value: [from, to] };
}

function readProximity(attribute: string, value: unknown): Read<Comparison> {
  const { least, most } = conditionLimits.wordsBetween;
  if (!isObject(value)) return { fault: 'proximity takes words and how many words may stand between them' };
  const words = typeof value.words === 'string' ? value.words.split(/\s+/) : value.words;
  const read = Array.isArray(words) ? words.filter((word): word is string => typeof word === 'string' && word.trim() !== '') : [];
  if (read.length < 2 || read.length > conditionLimits.words || read.some((word) => word.length > 200))
    return { fault: `proximity takes 2 to ${conditionLimits.words} words` };
  const { between } = value;
  if (typeof between !== 'number' || !Number.isInteger(between) || between < least || between > most)
    return { fault: `proximity: between ${least} and ${most} words may stand between them` };
  return { attribute, operator: 'proximity', value: { words: read.map((word) => word.trim().toLowerCase()), between } };
}

export function attributesOf(condition: Condition): string[] {
  const items = 'and' in condition ? condition.and : 'or' in condition ? condition.or : undefined;
  return items ? [...new Set(items.flatMap(attributesOf))] : [(condition as Comparison).attribute];
}

/** Whether the condition holds for the last reported values; undefined where a value was not reported or is of another kind. */
export function holds(condition: Condition, values: ReadonlyMap<string, Reported>): boolean | undefined {
  if ('and' in condition) {
    const all = condition.and.map((item) => holds(item, values));
    return all.includes(false) ? false : all.includes(undefined) ? undefined : true;
  }
  if ('or' in condition) {
    const all = condition.or.map((item) => holds(item, values));
    return all.includes(true) ? true : all.includes(undefined) ? undefined : false;
  }
  const reported = values.get(condition.attribute);
  return reported && compare(reported, condition);
}

/** Whether a value was reported that the condition cannot be compared with, such as a text where it has a number (iot-behaviour 3.7.5). */
export function hasMismatch(condition: Condition, values: ReadonlyMap<string, Reported>): boolean {
  const items = 'and' in condition ? condition.and : 'or' in condition ? condition.or : undefined;
  if (items) return items.some((item) => hasMismatch(item, values));
  const comparison = condition as Comparison;
  const reported = values.get(comparison.attribute);
  return reported !== undefined && compare(reported, comparison) === undefined;
}

function compare(reported: Reported, { operator, value }: Comparison): boolean | undefined {
  if (operator === 'between') {
    const [from, to] = value;
    const ends = [compareAny(reported, '>=', from), compareAny(reported, '<=', to)];
    return ends.includes(undefined) ? undefined : ends.every(Boolean);
  }
  if (operator === 'proximity') return reported.text === null ? undefined : isNear(reported.text, value.words, value.between);
  return compareAny(reported, operator, value);
}

function compareAny(reported: Reported, op: Operator, threshold: Scalar): boolean | undefined {
  const [a, b] = [reported.text === null ? undefined : momentOf(reported.text), momentOf(threshold)];
  if (a !== undefined && b !== undefined) return compareNumbers(a, op, b);
  const result = compareReported(reported, op, threshold);
  return result === 'mismatch' ? undefined : result;
}

/** Whether all words occur in the text, with at most so many others in the stretch that they span. */
function isNear(text: string, words: readonly string[], between: number): boolean {
  const said = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter(Boolean);
  const places = said.flatMap((word, at) => (words.includes(word) ? [{ word, at }] : []));
  return places.some(({ at: from }) => {
    const inReach = places.filter(({ at }) => at >= from && at - from + 1 - words.length <= between);
    return words.every((word) => inReach.some((place) => place.word === word));
  });
}
