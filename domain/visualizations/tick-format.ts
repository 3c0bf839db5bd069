import { dateFormatter } from './date-format.ts';
import { commonSeparators, type Separators } from './number-format.ts';

/** visualizations 2.6: the little language of axis labels, for numbers (`,.2f`, `~s`, `.1%`, `$,.0f`) and for moments (`%b %d`). */
export type TickFormatter = (value: number) => string;

const specifier = /^(?:(.)?([<>=^]))?([+\-( ])?([$#])?(0)?(\d+)?(,)?(?:\.(\d+))?(~)?([a-z%])?$/i;
const longest = 40;

/** Undefined for an invalid format: the labels are then those without a format. */
export function numberTicks(format: string, { thousands, decimal }: Separators = commonSeparators): TickFormatter | undefined {
  const found = specifier.exec(format.trim());
  if (!found || format.trim() === '' || format.length > longest) return undefined;
  const [, fill = ' ', align = '>', sign = '-', symbol, zero, widthText, comma, precisionText, isTrimmed, typeText] = found;
  const type = typeText === 'n' ? 'g' : typeText;
  const isGrouped = comma !== undefined || typeText === 'n';
  const precision = Math.min(20, Number(precisionText ?? (type === undefined ? 12 : 6)));
  const width = Math.min(longest, Number(widthText ?? 0));
  const digits = digitsBy[type ?? ''];
  if (!digits) return undefined;
  return (value) => {
    if (!Number.isFinite(value)) return String(value);
    const { text, suffix = '' } = digits(Math.abs(value), precision);
    const body = isTrimmed !== undefined || type === undefined ? trimmed(text) : text;
    const isNegative = value < 0 && /[1-9a-f]/i.test(body.split('e')[0] ?? '');
    const [whole = '', fraction] = splitPoint(body);
    const number = (isGrouped ? grouped(whole, thousands) : whole) + (fraction === undefined ? '' : decimal + fraction) + suffix;
    const before = (isNegative ? (sign === '(' ? '(' : '−') : sign === '+' ? '+' : sign === ' ' ? ' ' : '') + prefixOf(symbol, type);
    const after = isNegative && sign === '(' ? ')' : '';
    const missing = Math.max(0, width - before.length - number.length - after.length);
    if (zero !== undefined) return before + '0'.repeat(missing) + number + after;
    return padded(before, number + after, missing, fill, align);
  };
}

interface Digits {
  text: string;
  suffix?: string;
}

const digitsBy: Readonly<Record<string, (value: number, precision: number) => Digits>> = {
  '': (value, precision) => ({ text: Number(value.toPrecision(Math.max(1, precision))).toString() }),
  f: (value, precision) => ({ text: value.toFixed(precision) }),
  e: (value, precision) => ({ text: value.toExponential(precision) }),
  g: (value, precision) => ({ text: value.toPrecision(Math.max(1, precision)) }),
  r: (value, precision) => ({ text: String(Number(value.toPrecision(Math.max(1, precision)))) }),
  s: (value, precision) => withUnit(value, Math.max(1, precision)),
  '%': (value, precision) => ({ text: (value * 100).toFixed(precision), suffix: '%' }),
  p: (value, precision) => ({ text: String(Number((value * 100).toPrecision(Math.max(1, precision)))), suffix: '%' }),
  d: (value) => ({ text: String(Math.round(value)) }),
  b: (value) => ({ text: Math.round(value).toString(2) }),
  o: (value) => ({ text: Math.round(value).toString(8) }),
  x: (value) => ({ text: Math.round(value).toString(16) }),
  X: (value) => ({ text: Math.round(value).toString(16).toUpperCase() }),
  c: (value) => ({ text: String(value) }),
};

const units = ['y', 'z', 'a', 'f', 'p', 'n', 'µ', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];

/** At most three digits before the point, and so many significant ones. */
function withUnit(value: number, precision: number): Digits {
  if (value === 0) return { text: (0).toFixed(precision - 1) };
  const rounded = Number(value.toPrecision(precision));
  const power = Math.max(-8, Math.min(8, Math.floor(Math.log10(rounded) / 3 + 1e-12)));
  const scaled = rounded / 1000 ** power;
  const whole = Math.max(1, Math.floor(Math.log10(scaled) + 1e-12) + 1);
  return { text: scaled.toFixed(Math.max(0, precision - whole)), suffix: units[power + 8] ?? '' };
}

const trimmed = (text: string): string => text.replace(/(\.\d*?)0+(?=e|$)/, '$1').replace(/\.(?=e|$)/, '');

function splitPoint(text: string): [whole: string, fraction: string | undefined] {
  const at = text.indexOf('.');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

const grouped = (digits: string, separator: string): string => digits.replace(/\B(?=(\d{3})+$)/g, separator);

function prefixOf(symbol: string | undefined, type: string | undefined): string {
  if (symbol === '$') return '$';
  return symbol === '#' && type && /[box]/i.test(type) ? `0${type.toLowerCase()}` : '';
}

function padded(before: string, text: string, missing: number, fill: string, align: string): string {
  const room = (count: number) => fill.repeat(count);
  if (align === '<') return before + text + room(missing);
  if (align === '=') return before + room(missing) + text;
  if (align === '^') return room(missing >> 1) + before + text + room(missing - (missing >> 1));
  return room(missing) + before + text;
}

/** The same in the language of date-format.ts; a dash removes the padding. */
const moments: Readonly<Record<string, readonly [padded: string, short: string]>> = {
  a: ['ddd', 'ddd'],
  A: ['dddd', 'dddd'],
  b: ['MMM', 'MMM'],
  B: ['MMMM', 'MMMM'],
  c: ['M/D/YYYY, h:mm:ss A', 'M/D/YYYY, h:mm:ss A'],
  d: ['DD', 'D'],
  e: ['D', 'D'],
  f: ['SSSSSS', 'SSSSSS'],
  g: ['GG', 'GG'],
  G: ['GGGG', 'GGGG'],
  H: ['HH', 'H'],
  I: ['hh', 'h'],
  j: ['DDDD', 'DDD'],
  L: ['SSS', 'SSS'],
  m: ['MM', 'M'],
  M: ['mm', 'm'],
  p: ['A', 'A'],
  q: ['Q', 'Q'],
  Q: ['x', 'x'],
  s: ['X', 'X'],
  S: ['ss', 's'],
  u: ['E', 'E'],
  U: ['ww', 'w'],
  V: ['WW', 'W'],
  w: ['d', 'd'],
  W: ['WW', 'W'],
  x: ['M/D/YYYY', 'M/D/YYYY'],
  X: ['h:mm:ss A', 'h:mm:ss A'],
  y: ['YY', 'YY'],
  Y: ['YYYY', 'YYYY'],
  Z: ['ZZ', 'ZZ'],
};

/** Formats in UTC, like every moment of a result. */
export function momentTicks(format: string): TickFormatter | undefined {
  if (!/%[-_0]?[a-zA-Z]/.test(format) || format.length > 100) return undefined;
  const parts = format.split(/(%[-_0]?[a-zA-Z%])/).map((part) => {
    const [, isShort, letter = ''] = /^%(-)?[_0]?([a-zA-Z%])$/.exec(part) ?? [];
    const found = Object.hasOwn(moments, letter) ? moments[letter] : undefined;
    if (found) return dateFormatter(isShort ? found[1] : found[0]);
    const text = letter === '%' ? '%' : part;
    return () => text;
  });
  return (value) => parts.map((print) => print(value)).join('');
}
