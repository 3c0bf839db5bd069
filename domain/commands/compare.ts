import type { Operator, Scalar } from './command.ts';

/** A value that a device reported: a number, a boolean (kind `b`, 1 or 0) or a text. */
export interface Reported {
  kind: 'n' | 'b' | 's' | 'j';
  value: number | null;
  text: string | null;
}

const nearly = 1e-9;

/** The value as a number, if it is one: booleans count as 1 and 0, and so do their words for a boolean attribute. */
function numberOf(given: Scalar, isTruth: boolean): number | undefined {
  if (typeof given === 'boolean') return Number(given);
  if (typeof given === 'number') return given;
  if (isTruth && /^(true|false)$/i.test(given.trim())) return Number(/^true$/i.test(given.trim()));
  return given.trim() !== '' && Number.isFinite(Number(given)) ? Number(given) : undefined;
}

const isEqual = (a: number, b: number) => Math.abs(a - b) <= nearly * Math.max(1, Math.abs(a), Math.abs(b));

export function compareNumbers(a: number, op: Operator, b: number): boolean {
  if (op === '==') return isEqual(a, b);
  if (op === '!=') return !isEqual(a, b);
  if (op === '>') return a > b;
  if (op === '>=') return a >= b;
  return op === '<' ? a < b : a <= b;
}

/**
 * iot-behaviour 3.5.8. Numbers compare as numbers, texts only by == and !=; `mismatch` when the kinds do not fit, which proves nothing
 * either way.
 */
export function compareReported(reported: Reported, op: Operator, threshold: Scalar): boolean | 'mismatch' {
  if (reported.kind === 'n' || reported.kind === 'b') {
    const [a, b] = [reported.value, numberOf(threshold, reported.kind === 'b')];
    return a === null || b === undefined ? 'mismatch' : compareNumbers(a, op, b);
  }
  if (typeof threshold !== 'string' || (op !== '==' && op !== '!=')) return 'mismatch';
  return (reported.text === threshold) === (op === '==');
}
