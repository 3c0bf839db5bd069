import { text } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { defineConnector } from './connector.ts';
import { duckdbDriver } from './drivers.ts';
import { requirePath } from './files.ts';

const info =
  'A path inside the files folder of the console (TELLTALE_FILES): a DuckDB database, a CSV, TSV, JSON or Parquet file, or a folder of them, each file a table.';

export const duckdb = defineConnector({
  type: 'duckdb',
  name: 'DuckDB and data files',
  dialect: 'duckdb',
  driver: duckdbDriver,
  isEmbedded: true,
  isFolderReadOnly: true,
  options: z.strictObject({ dbpath: text('Path', { info }) }),
  open: async ({ dbpath }, { filesFolder }) => {
    await requirePath(filesFolder, dbpath);
    const { DuckdbConnection } = await import('./duckdb/connection.ts');
    return new DuckdbConnection(filesFolder, dbpath);
  },
});
