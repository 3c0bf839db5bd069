import { z } from 'zod';
import type { OptionsSource } from '../define.ts';
import { firstColumn, isNumeric } from '../firstColumn.ts';

export interface Limit {
  min: number | null;
  max: number | null;
}

export interface WordCloudOptions {
  /** Empty: the first column of text. */
  column: string;
  /** Empty: words are counted. */
  frequenciesColumn: string;
  wordLengthLimit: Limit;
  wordCountLimit: Limit;
  [unknown: string]: unknown;
}

/** Zero, empty and invalid values mean no limit (visualizations 15). */
const bound = z
  .union([z.number(), z.string().trim().min(1).transform(Number)])
  .pipe(z.number().positive())
  .nullable()
  .catch(null);
const limit = z.looseObject({ min: bound, max: bound }).catch({ min: null, max: null });
const frequencies = /^(count|counts|frequency|freq|cnt|n|number|total|times|hits|occurrences|個数|件数)$/i;

const Options = z.looseObject({
  column: z.string().catch(''),
  frequenciesColumn: z.string().catch(''),
  wordLengthLimit: limit,
  wordCountLimit: limit,
});

/** A new cloud uses the first column of text, and a column of numbers whose name means a count (complaint 35). */
export const wordCloudOptions = ({ columns }: OptionsSource): z.ZodType<WordCloudOptions> =>
  z.preprocess((stored) => {
    if (typeof stored !== 'object' || stored === null || 'column' in stored || 'frequenciesColumn' in stored) return stored;
    const frequenciesColumn = columns.find((column) => isNumeric(column) && frequencies.test(column.name))?.name ?? '';
    return { ...stored, column: firstText(columns) ?? '', frequenciesColumn };
  }, Options);

export const firstText = (columns: OptionsSource['columns']): string | null =>
  firstColumn(columns, { fits: ({ type }) => type === 'string' }) ?? firstColumn(columns, {});
