import type { ByteSink } from '../../wire/byte-sink.ts';
import { constantBytes, writeConstant } from '../../wire/constant-bytes.ts';
import type { DateParts } from './date-parts.ts';

/** The tokens of the organisation's date and time formats; all other characters stand for themselves. */
export const formatTokens = ['YYYY', 'YY', 'MM', 'DD', 'HH', 'mm', 'ss', 'SSS'] as const;
export type FormatToken = (typeof formatTokens)[number];
const tokens = new RegExp(formatTokens.join('|'), 'g');

/** 00 … 99 as two digits, the tens first in memory. */
const pairs = Uint16Array.from({ length: 100 }, (_, n) => 0x3030 + Math.floor(n / 10) + ((n % 10) << 8));

const pair = (view: DataView, at: number, value: number) => view.setUint16(at, pairs[value] as number, true);

const fields: Record<FormatToken, (view: DataView, at: number, parts: DateParts) => void> = {
  YYYY: (view, at, { year }) => {
    pair(view, at, Math.floor(year / 100));
    pair(view, at + 2, year % 100);
  },
  YY: (view, at, { year }) => pair(view, at, year % 100),
  MM: (view, at, { month }) => pair(view, at, month),
  DD: (view, at, { day }) => pair(view, at, day),
  HH: (view, at, { hour }) => pair(view, at, hour),
  mm: (view, at, { minute }) => pair(view, at, minute),
  ss: (view, at, { second }) => pair(view, at, second),
  SSS: (view, at, { millisecond }) => {
    pair(view, at, Math.floor(millisecond / 10));
    view.setUint8(at + 2, 0x30 + (millisecond % 10));
  },
};

/** The tokens of a format and their places, counted in bytes. */
export const holesOf = (format: string): { at: number; token: FormatToken }[] =>
  Array.from(format.matchAll(tokens), ({ 0: token, index }) => ({
    at: Buffer.byteLength(format.slice(0, index)),
    token: token as FormatToken,
  }));

/** server-behaviour 11.4: DD MM YYYY YY HH mm ss SSS. Every token has a fixed width, so the rest is written as it is. */
export function dateFormat(format: string): (parts: DateParts, out: ByteSink) => void {
  const template = constantBytes(format);
  const holes = holesOf(format).map(({ at, token }) => ({ at, fill: fields[token] }));
  return (parts, out) => {
    out.reserve(template.length + 8);
    const start = out.length;
    writeConstant(template, out);
    for (let i = 0; i < holes.length; i++) {
      const { at, fill } = holes[i] as (typeof holes)[number];
      fill(out.view, start + at, parts);
    }
  };
}
