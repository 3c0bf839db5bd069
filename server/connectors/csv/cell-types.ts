import { ExactDecimal } from '@telltale/domain/results/exact-decimal.ts';
import { isExactNumber } from '@telltale/domain/results/numbers.ts';
import { dateTimeOf } from '../http/date-time-text.ts';
import type { ConvertColumn } from '../http/table.ts';

export interface CellFormat {
  /** Texts that count as null. */
  absent: ReadonlySet<string>;
  decimal: string;
  thousands?: string | undefined;
}

/** The same texts as in pandas. */
export const absentTexts = ' |#N/A|#N/A N/A|#NA|-1.#IND|-1.#QNAN|-NaN|-nan|1.#IND|1.#QNAN|<NA>|N/A|NA|NULL|NaN|None|n/a|nan|null'.split(
  '|',
);

/** A leading zero means a code or a telephone number, not a number. */
const number = /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const truth = new Map([
  ['true', true],
  ['false', false],
]);

type Read = (text: string) => unknown;

/**
 * Gives a column a type when all its first cells have it; a later cell of another type stays a text. Numbers too long for a double keep all
 * their digits.
 */
export function convertCsvColumn({ absent, decimal, thousands }: CellFormat): ConvertColumn {
  const plain = (text: string) => {
    const grouped = thousands ? text.replaceAll(thousands, '') : text;
    return decimal === '.' ? grouped : grouped.replace(decimal, '.');
  };
  const readers: Read[] = [(text) => numberOf(plain(text)), (text) => truth.get(text.toLowerCase()), dateTimeOf];
  const longest = Math.max(...[...absent].map(({ length }) => length), 0);
  const isAbsent = (text: string) => text === '' || (text.length <= longest && absent.has(text));
  return (sample) => {
    const present = sample.flatMap((cell) => (typeof cell === 'string' && !isAbsent(cell) ? [cell.trim()] : []));
    const read = readers.find((reader) => present.length > 0 && present.every((text) => reader(text) !== undefined));
    return (cell) => {
      if (typeof cell !== 'string' || isAbsent(cell)) return null;
      return read?.(cell.trim()) ?? cell;
    };
  };
}

function numberOf(text: string): unknown {
  if (!number.test(text)) return undefined;
  if (isExactNumber(text)) return Number(text);
  return /^[+-]?\d+$/.test(text) ? BigInt(text) : new ExactDecimal(text.replace(/^\+/, ''));
}
