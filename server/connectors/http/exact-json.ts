import { isExactNumber } from '@telltale/domain/results/numbers.ts';

/** A decimal that no double holds: it is stored as its own text, and says nothing about its column's type (design 8). */
export class ExactDecimal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): string {
    return this.text;
  }
}

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
