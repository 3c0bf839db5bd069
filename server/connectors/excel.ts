import { z } from 'zod';
import { collect } from '../wire/collect.ts';
import { QueryError } from './connector.ts';
import { Workbook } from './excel/workbook.ts';
import { askForFile, fileOptions } from './http/file.ts';
import { TableWriter, tableOptions } from './http/table.ts';
import { defineWebConnector } from './http/web-connector.ts';

const sheet = z.union([z.int().min(0), z.string()], "'sheet_name' needs to be a name or a number.");

const ExcelQuery = z.strictObject({
  ...fileOptions,
  /** The name of the sheet, or its number, starting at 0. */
  sheet_name: sheet.default(0),
  ...tableOptions,
});

export const excel = defineWebConnector({
  type: 'excel',
  name: 'Excel',
  query: ExcelQuery,
  async run(query, run) {
    const { sink, signal } = run;
    // The directory of a zip file is at its end, so the whole packed file is kept in memory.
    const response = await askForFile(query, run, { maxBytes: 64 * 1024 ** 2 });
    const workbook = await Workbook.open(Buffer.concat(await collect(response.body)));
    const table = new TableWriter(query, sink);
    await workbook.readRows(sheetOf(workbook, query.sheet_name), async (rows) => {
      signal.throwIfAborted();
      await table.rows(
        // Rows that are only formatted, or that formulas leave empty, do not count.
        rows.filter((cells) => cells.some((cell) => cell !== undefined && cell !== '')),
        signal,
      );
      return !table.isFull;
    });
    await table.finish();
  },
});

function sheetOf({ sheets }: Workbook, wanted: string | number) {
  const found = typeof wanted === 'number' ? sheets[wanted] : sheets.find(({ name }) => name === wanted);
  if (!found) throw new QueryError(`There is no sheet '${wanted}'. There are: ${sheets.map(({ name }) => name).join(', ')}.`);
  return found;
}
