import { ExactDecimal } from '@telltale/domain/results/exact-decimal.ts';
import { isExactNumber } from '@telltale/domain/results/numbers.ts';

/** A number that a double may not hold; anything shorter always does. */
const longNumber = /\d[\d.]{15}/;

/** JSON.parse, but whole numbers beyond a double's reach come as bigint and decimals as ExactDecimal. */
export function parseExactJson(text: string): unknown {
  return longNumber.test(text) ? JSON.parse(text, exact) : JSON.parse(text);
}

function exact(_key: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
  if (typeof value !== 'number' || isExactNumber(source)) return value;
  return /^-?\d+$/.test(source) ? BigInt(source) : new ExactDecimal(source);
}
