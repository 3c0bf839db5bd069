/** A number as its digits: text of any length keeps its value, and rounding follows the written digits (1.005 is not 1.00499…). */
export interface Decimal {
  isNegative: boolean;
  /** At least one digit, no leading zeros. */
  whole: string;
  fraction: string;
}

const decimalText = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i;

/** A finite number, a big integer or the text of a number; undefined for everything else. */
export function decimalOf(value: unknown): Decimal | undefined {
  if (typeof value !== 'number' && typeof value !== 'string' && typeof value !== 'bigint') return undefined;
  const [, sign, whole = '', fraction = '', exponent] = decimalText.exec(String(value).trim()) ?? [];
  if (whole === '' && fraction === '') return undefined;
  const decimal = { isNegative: sign === '-', whole: withoutZeros(whole), fraction };
  return exponent === undefined ? decimal : shifted(decimal, -Number(exponent));
}

const withoutZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, '') || '0';

/** Divided by ten to the power of `by`, exactly. */
export function shifted({ isNegative, whole, fraction }: Decimal, by: number): Decimal {
  if (by > 0) {
    const digits = whole.padStart(by + 1, '0');
    return { isNegative, whole: withoutZeros(digits.slice(0, -by)), fraction: digits.slice(-by) + fraction };
  }
  const digits = fraction.padEnd(-by, '0');
  return { isNegative, whole: withoutZeros(whole + digits.slice(0, -by)), fraction: digits.slice(-by) };
}

/** CoalescedTask half up, towards the larger number: 2.5 is 3 and -2.5 is -2. */
export function rounded(decimal: Decimal, decimals: number): Decimal {
  const { isNegative, whole, fraction } = decimal;
  if (fraction.length <= decimals) return decimal;
  const rest = fraction.slice(decimals);
  const isHalf = /^50*$/.test(rest);
  const digits = whole + fraction.slice(0, decimals);
  const isUp = isHalf ? !isNegative : rest >= '5';
  const result = isUp ? increased(digits) : digits;
  const point = result.length - decimals;
  return { isNegative, whole: result.slice(0, point), fraction: result.slice(point) };
}

function increased(digits: string): string {
  const next = digits.length < 16 ? String(Number(digits) + 1) : String(BigInt(digits) + 1n);
  return next.padStart(digits.length, '0');
}

const isZero = ({ whole, fraction }: Decimal): boolean => whole === '0' && /^0*$/.test(fraction);

export const toNumber = ({ isNegative, whole, fraction }: Decimal): number => Number(`${isNegative ? '-' : ''}${whole}.${fraction || '0'}`);

/** Compares exactly, where doubles would call 9007199254740993 and 9007199254740992 equal. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (isZero(a) && isZero(b)) return 0;
  if (a.isNegative !== b.isNegative) return a.isNegative ? -1 : 1;
  const size = a.whole.length - b.whole.length || compareText(a.whole, b.whole) || compareFractions(a.fraction, b.fraction);
  return a.isNegative ? -size : size;
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function compareFractions(a: string, b: string): number {
  const length = Math.max(a.length, b.length);
  return compareText(a.padEnd(length, '0'), b.padEnd(length, '0'));
}
