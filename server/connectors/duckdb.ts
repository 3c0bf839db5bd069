import { text } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { defineConnector } from './connector.ts';
import { requirePath } from './files.ts';

const info =
  'Relative to the folder for files: a DuckDB database, a CSV, TSV, JSON or Parquet file, or a folder of them, each file a table.';

export const duckdb = defineConnector({
  type: 'duckdb',
  name: 'DuckDB and data files',
  dialect: 'duckdb',
  isEmbedded: true,
  options: z.strictObject({ dbpath: text('Path', { info }) }),
  open: async ({ dbpath }, { filesFolder }) => {
    await requirePath(filesFolder, dbpath);
    const { DuckdbConnection } = await import('./duckdb/connection.ts');
    return new DuckdbConnection(filesFolder, dbpath);
  },
});
