import { cellReader, plainText } from '../cellValue.ts';
import { numericValue } from '../numericValue.ts';
import { category20 } from '../palettes.ts';
import type { ResultTable } from '../resultTable.ts';
import { firstText, type Limit, type WordCloudOptions } from './wordCloudOptions.ts';

export interface Word {
  text: string;
  count: number;
  /** Pixels, before the picture is scaled to its place. */
  size: number;
  color: string;
  isUpright: boolean;
}

export interface WordCloudModel {
  words: readonly Word[];
  /** The number of words left out, because so many would be unreadable. */
  more: number;
}

const smallest = 10;
const largest = 100;
const mostWords = 300;
const longestWord = 60;

type Asked = Pick<WordCloudOptions, 'column' | 'frequenciesColumn' | 'wordLengthLimit' | 'wordCountLimit'>;
const known = new WeakMap<ResultTable, { key: string; model: WordCloudModel }>();

/** visualizations 15. Cached, because the picture and its summary use the same model. */
export function wordCloudModel(table: ResultTable, options: Asked): WordCloudModel {
  const key = JSON.stringify([options.column, options.frequenciesColumn, options.wordLengthLimit, options.wordCountLimit]);
  const last = known.get(table);
  if (last?.key === key) return last.model;
  const model = makeModel(table, options);
  known.set(table, { key, model });
  return model;
}

function makeModel({ columns, rows }: ResultTable, options: Asked): WordCloudModel {
  const column = options.column || firstText(columns);
  if (column === null) return { words: [], more: 0 };
  const counts = options.frequenciesColumn ? given(rows, column, options.frequenciesColumn) : counted(rows, column);
  // A loop instead of Math.min with all arguments: there may be a million words.
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (const count of counts.values()) {
    least = Math.min(least, count);
    most = Math.max(most, count);
  }
  const sorted = [...counts]
    .filter(([text, count]) => isWithin(text.length, options.wordLengthLimit) && isWithin(count, options.wordCountLimit))
    .sort(([a, many], [b, few]) => few - many || b.length - a.length);
  const words = sorted.slice(0, mostWords).map(([text, count], at) => ({
    text: text.length > longestWord ? `${text.slice(0, longestWord)}…` : text,
    count,
    size: sizeOf(count, least, most),
    color: category20[at % category20.length] ?? '#1f77b4',
    isUpright: at % 2 === 1,
  }));
  return { words, more: Math.max(0, sorted.length - mostWords) };
}

type Rows = ResultTable['rows'];

/** Case and punctuation count; there are no stop words. */
function counted(rows: Rows, column: string): Map<string, number> {
  const read = cellReader(column);
  const counts = new Map<string, number>();
  for (const row of rows) {
    for (const word of plainText(read(row)).split(/\s+/)) if (word) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** Each row is one word with its count; the last row of a word wins. */
function given(rows: Rows, column: string, frequenciesColumn: string): Map<string, number> {
  const readWord = cellReader(column);
  const readCount = cellReader(frequenciesColumn);
  const counts = new Map<string, number>();
  for (const row of rows) {
    const word = plainText(readWord(row));
    const count = numericValue(readCount(row));
    if (word && count !== null && count > 0) counts.set(word, count);
  }
  return counts;
}

const isWithin = (value: number, { min, max }: Limit) => (min === null || value >= min) && (max === null || value <= max);

/** Linear between the rarest and the most frequent; the middle where all are equal. */
const sizeOf = (count: number, least: number, most: number): number =>
  most > least ? smallest + ((count - least) / (most - least)) * (largest - smallest) : (smallest + largest) / 2;
