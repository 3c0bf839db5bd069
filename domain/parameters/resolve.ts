import { isDateType, isRangeType, type MultiValuesOptions, type QueryParameter, typeOf } from './contract.ts';
import { type Clock, type DateRange, resolveDynamicDate, resolveDynamicRange } from './dynamic-dates.ts';
import { canonicalNumber } from './number-text.ts';
import { isMissing, isMulti, normalizeDate, normalizeRange } from './values.ts';

/** A value ready to be written: canonical texts, and their form. */
export interface Resolved {
  /** `choice`: the author of the query has listed it, so it may also be a word like DESC. */
  form: 'number' | 'date' | 'choice' | 'text';
  items: string[];
  /** How a list is written; null for a single value. */
  multi: MultiValuesOptions | null;
}

const single = (form: Resolved['form'], text: string): Resolved => ({ form, items: [text], multi: null });

/** The (already checked) value of a placeholder; null when the placeholder names a part that the type does not have. */
export function resolveValue(definition: QueryParameter, value: unknown, part: string | null, clock: Clock): Resolved | null {
  const type = typeOf(definition);
  if (isRangeType(type)) {
    const range = resolveRange(definition, value, clock);
    return range && (part === 'start' || part === 'end') ? single('date', range[part]) : null;
  }
  if (part !== null) return null;
  if (isDateType(type)) {
    const date = normalizeDate(isMissing(value) ? 'd_now' : value, type);
    const text = date && (resolveDynamicDate(date, type, clock) ?? date);
    return text ? single('date', text) : null;
  }
  if (type === 'number') {
    const number = canonicalNumber(value);
    return number === null ? null : single('number', number);
  }
  const form = type === 'enum' ? 'choice' : 'text';
  const multi = isMulti(definition) ? (definition.multiValuesOptions ?? null) : null;
  if (Array.isArray(value)) return { form, items: value.map(String), multi: multi ?? {} };
  return { form, items: [String(value)], multi };
}

/** Both ends of a range, dynamic ones resolved now. */
export function resolveRange(definition: QueryParameter, value: unknown, clock: Clock): DateRange | null {
  const type = typeOf(definition);
  const range = normalizeRange(value, type);
  return typeof range === 'string' ? resolveDynamicRange(range, type, clock) : range;
}
