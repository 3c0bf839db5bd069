import { z } from 'zod';
import { collect } from '../wire/collect.ts';
import { defineConnector, QueryError } from './connector.ts';
import { Workbook } from './excel/workbook.ts';
import { askOk } from './http/ask.ts';
import { TableWriter, tableOptions } from './http/table.ts';
import { WebSource, webConnection, webSourceOptions } from './http/web-source.ts';
import { readYamlQuery, scalar, urlOption } from './http/yaml-query.ts';

const sheet = z.union([z.int().min(0), z.string()], "'sheet_name' needs to be a name or a number.");

const ExcelQuery = z.strictObject({
  url: urlOption,
  'user-agent': scalar.optional(),
  /** By name, or by number from nought. */
  sheet_name: sheet.default(0),
  ...tableOptions,
});

export const excel = defineConnector({
  type: 'excel',
  name: 'Excel',
  syntax: 'yaml',
  supports_auto_limit: false,
  options: z.strictObject(webSourceOptions),
  async open(options, env) {
    const source = new WebSource(options);
    return webConnection(source, env, async ({ query: text }, sink, signal) => {
      const query = readYamlQuery(text, ExcelQuery);
      const response = await askOk(env.http, source.addressOf(query.url), {
        signal,
        redirects: 5,
        headers: { ...(query['user-agent'] && { 'user-agent': query['user-agent'] }), ...source.authorization() },
        allowInvalidCertificate: source.allowsInvalidCertificate(undefined),
        // The directory stands at the end of the file, so all of it is kept, packed as it is.
        maxBytes: 64 * 1024 ** 2,
      });
      const workbook = await Workbook.open(Buffer.concat(await collect(response.body)));
      const table = new TableWriter(query, sink);
      await workbook.readRows(sheetOf(workbook, query.sheet_name), async (rows) => {
        signal.throwIfAborted();
        await table.rows(
          // Rows that somebody only formatted, or that formulas leave empty, are none.
          rows.filter((cells) => cells.some((cell) => cell !== undefined && cell !== '')),
          signal,
        );
        return !table.isFull;
      });
      await table.finish();
    });
  },
});

function sheetOf({ sheets }: Workbook, wanted: string | number) {
  const found = typeof wanted === 'number' ? sheets[wanted] : sheets.find(({ name }) => name === wanted);
  if (!found) throw new QueryError(`There is no sheet '${wanted}'. There are: ${sheets.map(({ name }) => name).join(', ')}.`);
  return found;
}
