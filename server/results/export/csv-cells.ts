import type { ResultColumn } from '@telltale/domain/results/contract.ts';
import { isJsonNumber } from '@telltale/domain/results/numbers.ts';
import type { CellWriter } from '../../wire/row-transcriber.ts';
import { endOfNested, endOfText, storedText, valueKind } from '../../wire/stored-values.ts';
import { dateFormat } from './date-format.ts';
import { newDateParts, readDateParts } from './date-parts.ts';

export interface CsvOptions {
  /** A comma, or a tab for TSV. */
  delimiter?: ',' | '\t';
  /** The organisation's format. */
  date_format: string;
  time_format: string;
  /** For programs: every text exactly as stored, dates as ISO texts. */
  raw?: boolean;
  /** Dates as they are stored instead of in the organisation's format; as `raw` says unless given. */
  isoDates?: boolean;
}

const [quote, backslash, semicolon] = [0x22, 0x5c, 0x3b];
/** W15: characters at which spreadsheets begin a formula, full-width forms included. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;
const mayBeFormula = Uint8Array.from({ length: 256 }, (_, byte) => Number([0x3d, 0x2b, 0x2d, 0x40, 0xef].includes(byte)));

/** A number or a telephone number as text is no formula: -5, +49 123, 1.5e3 with a sign. */
const signedNumber = /^[+-](?:\d+(?:[ .,/-]\d+)*|[.,]\d+)(?:e[+-]?\d+)?\s*%?$/i;
/** Characters at which a spreadsheet of another locale, or one that splits lines before it reads quotes, begins a new cell. */
const otherBreaks = /([;\t\r\n]+)/;

/** W15: puts an apostrophe before text that a spreadsheet would run, wherever a cell may begin. */
function defused(text: string): string {
  const parts = text.split(otherBreaks);
  return parts.map((part, n) => (n % 2 === 0 && formula.test(part) && !signedNumber.test(part) ? `'${part}` : part)).join('');
}

/** RFC 4180: quotes only where they are needed. */
const field = (text: string, delimiter: string) =>
  /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;

/** A text cell: defused by apostrophes, unless raw or a number that a double could not hold. */
export function textField(text: string, { delimiter = ',', raw = false }: CsvOptions, column?: ResultColumn): string {
  const isNumber = (column?.type === 'integer' || column?.type === 'float') && isJsonNumber(text);
  if (raw || isNumber) return field(text, delimiter);
  // A cell that begins with a line break or a tab is defused as a whole.
  return field(/^[\t\r\n]/.test(text) ? `'${defused(text)}` : defused(text), delimiter);
}

function textWriter(column: ResultColumn, options: CsvOptions): CellWriter {
  const delimiter = (options.delimiter ?? ',').charCodeAt(0);
  const isPlain = Uint8Array.from({ length: 256 }, (_, byte) =>
    Number(byte !== quote && byte !== backslash && byte !== delimiter && (options.raw || byte !== semicolon)),
  );
  const slow: CellWriter = ({ bytes }, at, out) => {
    const end = endOfText(bytes, at);
    out.text(textField(storedText(bytes, at, end), options, column));
    return end + 1;
  };
  return (src, at, out) => {
    const from = src.bytes;
    const to = out.bytes;
    let p = out.length;
    let end = at + 1;
    if (mayBeFormula[from[end] as number] === 1) return slow(src, at, out);
    for (let byte = from[end] as number; isPlain[byte] === 1; byte = from[++end] as number) to[p++] = byte;
    if (from[end] !== quote) return slow(src, at, out);
    out.length = p;
    return end + 1;
  };
}

/** Writes numbers, true and false as they are, null as nothing, nested values as JSON. */
function valueWriter(column: ResultColumn, options: CsvOptions): CellWriter {
  const text = textWriter(column, options);
  return (src, at, out) => {
    const from = src.bytes;
    const first = from[at] as number;
    if (first === quote) return text(src, at, out);
    if (valueKind.isNull(first)) return at + 4;
    if (valueKind.isNested(first)) {
      const end = endOfNested(from, at);
      out.text(textField(from.toString('utf8', at, end), options));
      return end;
    }
    const to = out.bytes;
    let p = out.length;
    let end = at;
    for (let byte = first; byte !== 0x2c && byte !== 0x7d && byte > 0x20; byte = from[++end] as number) to[p++] = byte;
    out.length = p;
    return end;
  };
}

/** Whether dates of a column are written in the organisation's format; for programs they stay ISO texts. */
export const isFormatted = ({ type }: ResultColumn, { raw, isoDates = raw }: CsvOptions): boolean =>
  !isoDates && (type === 'date' || type === 'datetime');

/** The format of dates in this column, quotes included. */
export const dateTemplate = ({ type }: ResultColumn, { date_format, time_format, delimiter = ',' }: CsvOptions): string =>
  field(type === 'date' ? date_format : `${date_format} ${time_format}`, delimiter);

/** 11.4: date and datetime columns in the organisation's format; values that are no dates pass unchanged. */
function dateWriter(column: ResultColumn, options: CsvOptions): CellWriter {
  const write = dateFormat(dateTemplate(column, options));
  const other = valueWriter(column, options);
  const parts = newDateParts();
  return (src, at, out) => {
    if (src.bytes[at] !== quote) return other(src, at, out);
    const end = endOfText(src.bytes, at);
    if (!readDateParts(src.bytes, at + 1, end, parts)) return other(src, at, out);
    write(parts, out);
    return end + 1;
  };
}

export const csvCell = (column: ResultColumn, options: CsvOptions): CellWriter =>
  isFormatted(column, options) ? dateWriter(column, options) : valueWriter(column, options);
