import { type Decimal, decimalOf, rounded, shifted, toNumber } from './decimal.ts';

/** visualizations 2.4: `,` and `.` in a format are marks; the organisation's separators are printed for them. */
export interface Separators {
  thousands: string;
  decimal: string;
}
export const commonSeparators: Separators = { thousands: ',', decimal: '.' };

type Print = (value: Decimal) => string;

const compiled = new Map<string, (value: unknown) => string>();
const mostCompiled = 500;

export const formatNumber = (value: unknown, format: string, separators?: Separators): string => numberFormatter(format, separators)(value);

/** A cached printer for this format. Values that are no numbers print unchanged: text stays text (complaint 41), Infinity too. */
export function numberFormatter(format: string, separators: Separators = commonSeparators): (value: unknown) => string {
  const key = `${separators.thousands}\n${separators.decimal}\n${format}`;
  const known = compiled.get(key);
  if (known) return known;
  const print = format.trim() === '' ? undefined : printer(withoutWords(format), separators);
  const formatter = (value: unknown): string => {
    if (value === null || value === undefined) return '';
    const decimal = print && decimalOf(value);
    return decimal ? print(decimal) : String(value);
  };
  if (compiled.size >= mostCompiled) compiled.clear();
  compiled.set(key, formatter);
  return formatter;
}

/** Removes words, so that the a of "watts" is no abbreviation; `am`, `ib` and `BPS` have a meaning. */
const withoutWords = (format: string): string =>
  format.replace(/[\p{L}_]{2,}/gu, (word) => (/^(?:a[kmbt]|ib|BPS)$/.test(word) ? word : '')).trim();

function printer(format: string, separators: Separators): Print {
  if (format.includes('BPS')) return basisPoints(format, separators);
  if (/[0\s]i?b/.test(format)) return bytes(format, separators);
  if (format.includes('$')) return currency(format, separators);
  if (/e[+-]/.test(format)) return exponential(format, separators);
  if (format.includes('o')) return ordinal(format, separators);
  if (format.includes('%')) return percent(format, separators);
  if (format.includes(':')) return time;
  const { print } = plain(format, separators);
  return print;
}

interface Plan {
  hasParentheses: boolean;
  /** The place of the sign; `always` prints a plus as well. */
  sign: { isAfter: boolean; always: boolean };
  abbreviation: { space: string; forced: string | undefined } | null;
  /** `[.]`: no fraction when it is zero. */
  dropsZeroFraction: boolean;
  minDecimals: number;
  maxDecimals: number;
  leadingZeros: number;
  isGrouped: boolean;
  /** `.00` prints no whole part. */
  hidesWhole: boolean;
}

function planOf(format: string): Plan {
  const hasParentheses = format.includes('(');
  const plus = format.indexOf('+');
  const minus = format.indexOf('-');
  const abbreviated = /(\s?)a([kmbt])?/.exec(format);
  const body = format.replace(/\s?a[kmbt]?/, '').replace(/[^0.,[\]]/g, '');
  const [whole = '', fraction = ''] = body.replace('[.]', '.').split('.');
  const [always = '', optional = ''] = fraction.split('[');
  const minDecimals = zeros(always);
  return {
    hasParentheses,
    sign: { isAfter: plus > 0 || (plus < 0 && minus > 0), always: plus >= 0 },
    abbreviation: abbreviated ? { space: abbreviated[1] ?? '', forced: abbreviated[2] } : null,
    dropsZeroFraction: body.includes('[.]'),
    minDecimals,
    maxDecimals: minDecimals + zeros(optional),
    leadingZeros: zeros(whole.split(',')[0] ?? ''),
    isGrouped: format.includes(','),
    hidesWhole: body.startsWith('.'),
  };
}

const zeros = (text: string): number => text.split('0').length - 1;

interface Plain {
  plan: Plan;
  /** Prints with the sign. */
  print: Print;
  /** Prints digits only. */
  digits: Print;
  signed: (digits: string, isNegative: boolean) => string;
}

function plain(format: string, separators: Separators): Plain {
  const plan = planOf(format);
  const digits: Print = (value) => digitsOf(plan, value, separators);
  const signed = (text: string, isNegative: boolean) => withSign(plan, text, isNegative);
  return { plan, digits, signed, print: (value) => signed(digits(value), value.isNegative) };
}

/** A value that rounds to zero has no minus. */
function withSign({ hasParentheses, sign }: Plan, digits: string, isBelowZero: boolean): string {
  const isNegative = isBelowZero && /[1-9]/.test(digits);
  if (hasParentheses) return isNegative ? `(${digits})` : digits;
  const mark = isNegative ? '-' : sign.always ? '+' : '';
  return sign.isAfter ? digits + mark : mark + digits;
}

function digitsOf(plan: Plan, value: Decimal, { thousands, decimal }: Separators): string {
  const { number, suffix } = plan.abbreviation ? abbreviated(plan, plan.abbreviation, value) : { number: value, suffix: '' };
  const result = rounded(number, plan.maxDecimals);
  let fraction = result.fraction.padEnd(plan.minDecimals, '0');
  while (fraction.length > plan.minDecimals && fraction.endsWith('0')) fraction = fraction.slice(0, -1);
  if (plan.dropsZeroFraction && /^0*$/.test(fraction)) fraction = '';
  const padded = result.whole.padStart(plan.leadingZeros, '0');
  const whole = plan.hidesWhole ? '' : plan.isGrouped ? grouped(padded, thousands) : padded;
  return whole + (fraction && decimal + fraction) + suffix;
}

function grouped(digits: string, separator: string): string {
  if (digits.length < 4) return digits;
  const first = digits.length % 3 || 3;
  let text = digits.slice(0, first);
  for (let at = first; at < digits.length; at += 3) text += separator + digits.slice(at, at + 3);
  return text;
}

const units = ['', 'k', 'm', 'b', 't'];

function abbreviated(plan: Plan, { space, forced }: NonNullable<Plan['abbreviation']>, value: Decimal) {
  let unit = forced ? units.indexOf(forced) : Math.min(units.length - 1, Math.floor((value.whole.length - 1) / 3));
  // 999,999 rounds to 1000k, which is 1m.
  const isRoundedUp = rounded(shifted(value, unit * 3), plan.maxDecimals).whole.length > 3;
  if (!forced && isRoundedUp && unit < units.length - 1) unit += 1;
  return { number: shifted(value, unit * 3), suffix: unit === 0 ? space.trim() : space + (units[unit] ?? '') };
}

const byteUnits = ['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'];
const binaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB', 'ZiB', 'YiB'];

function bytes(format: string, separators: Separators): Print {
  const isBinary = format.includes('ib');
  const space = /\si?b/.test(format) ? ' ' : '';
  const { print } = plain(format.replace(/\s?i?b/, ''), separators);
  return (value) => {
    const size = Math.abs(toNumber(value));
    const power = size < 1 ? 0 : Math.min(8, Math.floor(isBinary ? Math.log2(size) / 10 : (value.whole.length - 1) / 3));
    if (!isBinary) return print(shifted(value, power * 3)) + space + byteUnits[power];
    const scaled = decimalOf(toNumber(value) / 1024 ** power) ?? value;
    return print(scaled) + space + binaryUnits[power];
  };
}

/** `$0,0`, `($0,0)`, `0,0 $`: the currency sign stands where the format has it, a minus before it. */
function currency(format: string, separators: Separators): Print {
  const { digits, signed } = plain(format.replace(/\s?\$\s?/, ''), separators);
  const symbol = /\s?\$\s?/.exec(format)?.[0] ?? '$';
  const isBefore = format.indexOf('$') < format.search(/[0.]/);
  const isOutside = isBefore ? /\$\s?[(+-]/.test(format) : /\)\s?\$/.test(format);
  const attach = (text: string) => (isBefore ? symbol.trimStart() + text : text + symbol.trimEnd());
  return (value) => (isOutside ? attach(signed(digits(value), value.isNegative)) : signed(attach(digits(value)), value.isNegative));
}

function percent(format: string, separators: Separators): Print {
  const { plan, digits, signed } = plain(format.replace(/\s?%/, ''), separators);
  const mark = /\s%/.test(format) ? ' %' : '%';
  return (value) => (plan.hasParentheses ? signed(digits(value) + mark, value.isNegative) : signed(digits(value), value.isNegative) + mark);
}

function basisPoints(format: string, separators: Separators): Print {
  const { print } = plain(format.replace(/\s?BPS/, ''), separators);
  const mark = /\sBPS/.test(format) ? ' BPS' : 'BPS';
  return (value) => print(shifted(value, -4)) + mark;
}

function ordinal(format: string, separators: Separators): Print {
  const { print } = plain(format.replace(/\s?o/, ''), separators);
  const space = /\so/.test(format) ? ' ' : '';
  return (value) => print(value) + space + endingOf(value.whole);
}

function endingOf(whole: string): string {
  if (/1\d$/.test(whole)) return 'th';
  return { 1: 'st', 2: 'nd', 3: 'rd' }[whole.at(-1) ?? ''] ?? 'th';
}

function exponential(format: string, separators: Separators): Print {
  const { plan, print } = plain(format.replace(/e[+-]0*/, ''), separators);
  return (value) => {
    const digits = withoutLeadingZeros(value.whole + value.fraction);
    if (digits === '') return `${print(value)}e+0`;
    let exponent = value.whole.length - (value.whole + value.fraction).search(/[1-9]/) - 1;
    let mantissa: Decimal = { isNegative: value.isNegative, whole: digits.charAt(0), fraction: digits.slice(1) };
    if (rounded(mantissa, plan.maxDecimals).whole.length > 1) {
      exponent += 1;
      mantissa = shifted(mantissa, 1);
    }
    return `${print(mantissa)}e${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`;
  };
}

const withoutLeadingZeros = (digits: string): string => digits.replace(/^0+/, '');

/** Seconds as hours, minutes and seconds. */
const time: Print = (value) => {
  const seconds = Math.round(Math.abs(toNumber(value)));
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0');
  return `${value.isNegative && seconds > 0 ? '-' : ''}${Math.floor(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
};
