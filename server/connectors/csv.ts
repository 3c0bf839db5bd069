import { CsvFault, CsvReader } from '@telltale/domain/csv/csv-reader.ts';
import { z } from 'zod';
import { QueryError } from './connector.ts';
import { absentTexts, convertCsvColumn } from './csv/cell-types.ts';
import { decoderOf, textOf } from './csv/file-text.ts';
import { askForFile, fileOptions } from './http/file.ts';
import { TableWriter, tableOptions } from './http/table.ts';
import { defineWebConnector } from './http/web-connector.ts';
import { scalar } from './http/yaml-query.ts';

const mark = (name: string) =>
  z
    .string()
    .min(1, `'${name}' can't be empty.`)
    .transform((text) => (text === '\\t' ? '\t' : text));
const oneMark = (name: string) => z.string().length(1, `'${name}' needs to be one character.`);

/** The address of the file, and options under their names in pandas. */
const CsvQuery = z.strictObject({
  ...fileOptions,
  separator: mark('separator').optional(),
  sep: mark('sep').optional(),
  delimiter: mark('delimiter').optional(),
  quotechar: oneMark('quotechar').default('"'),
  escapechar: oneMark('escapechar').optional(),
  comment: oneMark('comment').optional(),
  encoding: z.string().default('utf-8'),
  decimal: oneMark('decimal').default('.'),
  thousands: oneMark('thousands').optional(),
  na_values: z.union([z.array(scalar), scalar.transform((text) => [text])]).default([]),
  keep_default_na: z.boolean().default(true),
  ...tableOptions,
});

/** A file that is no CSV is the fault of the query, whose author reads the message. */
function readable(read: () => string[][]): string[][] {
  try {
    return read();
  } catch (error) {
    throw error instanceof CsvFault ? new QueryError(error.message) : error;
  }
}

export const csv = defineWebConnector({
  type: 'csv',
  name: 'CSV',
  query: CsvQuery,
  async run(query, run) {
    const { sink, signal } = run;
    // An unknown encoding fails before the file is requested.
    decoderOf(query.encoding);
    const reader = new CsvReader({
      separator: query.separator ?? query.sep ?? query.delimiter ?? ',',
      quote: query.quotechar,
      escapeMark: query.escapechar,
      comment: query.comment,
    });
    const absent = new Set([...(query.keep_default_na ? absentTexts : []), ...query.na_values]);
    const table = new TableWriter(query, sink, convertCsvColumn({ absent, decimal: query.decimal, thousands: query.thousands }));
    const response = await askForFile(query, run, { accept: 'text/csv, */*', maxBytes: 4 * 1024 ** 3 });
    for await (const piece of textOf(response.body, query.encoding)) {
      await table.rows(
        readable(() => reader.push(piece)),
        signal,
      );
      if (table.isFull) break;
    }
    if (!table.isFull)
      await table.rows(
        readable(() => reader.end()),
        signal,
      );
    await table.finish();
  },
});
