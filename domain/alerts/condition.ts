import { momentOf } from './moments.ts';
import type { AlertState, Operator, Threshold } from './options.ts';

const numeric = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Text that is a number counts as one (server-behaviour 14.3). */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return numeric.test(text) ? Number(text) : undefined;
}

function holds(left: number | string, op: Operator, right: number | string): boolean {
  switch (op) {
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '==':
      return left === right;
    case '!=':
      return left !== right;
  }
}

const stateIf = (isMet: boolean): AlertState => (isMet ? 'triggered' : 'ok');

/**
 * server-behaviour 14.3 and 27.4: numbers, then dates and times as moments, then text. Values that do not compare, null,
 * lists and objects are `unknown`; so is text whose order does not meet the condition.
 */
export function stateOf(value: unknown, op: Operator, threshold: Threshold, timeZone = 'UTC'): AlertState {
  if (value === null || value === undefined || (typeof value !== 'boolean' && typeof value !== 'number' && typeof value !== 'string'))
    return 'unknown';
  if (typeof value !== 'boolean') {
    const number = numberOf(value);
    if (number !== undefined) {
      const limit = numberOf(threshold);
      return limit === undefined ? 'unknown' : stateIf(holds(number, op, limit));
    }
    if (typeof value === 'number') return 'unknown';
  }
  const [text, limit] = [String(value), String(threshold)];
  const [moment, momentLimit] = [momentOf(text, timeZone), momentOf(limit.trim(), timeZone)];
  if (moment && momentLimit && moment.kind === momentLimit.kind) return stateIf(holds(moment.ms, op, momentLimit.ms));
  if (holds(text, op, limit)) return 'triggered';
  return op === '==' || op === '!=' ? 'ok' : 'unknown';
}
