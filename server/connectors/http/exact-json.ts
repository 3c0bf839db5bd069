import { ExactDecimal } from '@telltale/domain/results/exact-decimal.ts';
import { isExactNumber } from '@telltale/domain/results/numbers.ts';

/** A number that a double may not hold exactly; shorter ones always fit. */
const longNumber = /\d[\d.]{15}/;

/** Parses JSON, but with integers beyond a double's range as bigint and long decimals as ExactDecimal. */
export function parseExactJson(text: string): unknown {
  return longNumber.test(text) ? JSON.parse(text, exact) : JSON.parse(text);
}

function exact(_key: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
  if (typeof value !== 'number' || isExactNumber(source)) return value;
  return /^-?\d+$/.test(source) ? BigInt(source) : new ExactDecimal(source);
}
