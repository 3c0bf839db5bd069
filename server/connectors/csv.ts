import { z } from 'zod';
import { defineConnector } from './connector.ts';
import { absentTexts, convertCsvColumn } from './csv/cell-types.ts';
import { CsvReader } from './csv/csv-reader.ts';
import { decoderOf, textOf } from './csv/file-text.ts';
import { askOk } from './http/ask.ts';
import { TableWriter, tableOptions } from './http/table.ts';
import { WebSource, webConnection, webSourceOptions } from './http/web-source.ts';
import { readYamlQuery, scalar, urlOption } from './http/yaml-query.ts';

const mark = (name: string) =>
  z
    .string()
    .min(1, `'${name}' can't be empty.`)
    .transform((text) => (text === '\\t' ? '\t' : text));
const oneMark = (name: string) => z.string().length(1, `'${name}' needs to be one character.`);

/** Where the file is, and the reader's options under their names in pandas. */
const CsvQuery = z.strictObject({
  url: urlOption,
  'user-agent': scalar.optional(),
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

export const csv = defineConnector({
  type: 'csv',
  name: 'CSV',
  syntax: 'yaml',
  supports_auto_limit: false,
  options: z.strictObject(webSourceOptions),
  async open(options, env) {
    const source = new WebSource(options);
    return webConnection(source, env, async ({ query: text }, sink, signal) => {
      const query = readYamlQuery(text, CsvQuery);
      // Before anybody is asked for the file.
      decoderOf(query.encoding);
      const reader = new CsvReader({
        separator: query.separator ?? query.sep ?? query.delimiter ?? ',',
        quote: query.quotechar,
        escapeMark: query.escapechar,
        comment: query.comment,
      });
      const absent = new Set([...(query.keep_default_na ? absentTexts : []), ...query.na_values]);
      const table = new TableWriter(query, sink, convertCsvColumn({ absent, decimal: query.decimal, thousands: query.thousands }));
      const response = await askOk(env.http, source.addressOf(query.url), {
        signal,
        redirects: 5,
        headers: { accept: 'text/csv, */*', ...(query['user-agent'] && { 'user-agent': query['user-agent'] }), ...source.authorization() },
        allowInvalidCertificate: source.allowsInvalidCertificate(undefined),
        maxBytes: 4 * 1024 ** 3,
      });
      for await (const piece of textOf(response.body, query.encoding)) {
        await table.rows(reader.push(piece), signal);
        if (table.isFull) break;
      }
      if (!table.isFull) await table.rows(reader.end(), signal);
      await table.finish();
    });
  },
});
