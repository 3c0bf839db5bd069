import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { uniqueNames } from '@telltale/domain/results/columns.ts';
import { rulesOf } from '@telltale/domain/sql/dialect.ts';
import { quoteName, quoteText } from '@telltale/domain/sql/quote.ts';
import { QueryError } from '../connector.ts';
import { requirePath } from '../files.ts';

/** The database or the tables behind a source's path. */
export type Source = { database: string; tables: [] } | { database: undefined; tables: FileTable[] };

export interface FileTable {
  name: string;
  path: string;
  /** The call of a table function of the engine. */
  from: string;
}

const databaseFile = /\.(duckdb|ddb|db)$/i;
/** By default every CSV file takes thirty megabytes of buffer, and a statement has 256. A line may have two megabytes. */
const csvBuffer = 'buffer_size = 4_194_304';
const readers: [RegExp, (file: string) => string][] = [
  [/\.(csv|tsv)(\.gz)?$/i, (file) => `read_csv(${file}, ${csvBuffer})`],
  [/\.(json|jsonl|ndjson)(\.gz)?$/i, (file) => `read_json(${file})`],
  [/\.parquet$/i, (file) => `read_parquet(${file})`],
];
const largestFolder = 1000;
/** The engine would match other files by these characters. */
const pattern = /[*?[\]]/;

/** Finds a database file, a data file as one table, or a folder with a table for each data file in it. */
export async function findSource(filesFolder: string, dbpath: string): Promise<Source> {
  const { path, isFolder } = await requirePath(filesFolder, dbpath);
  if (!isFolder && databaseFile.test(path)) return { database: path, tables: [] };
  const typed = isFolder ? (await readdir(path)).sort().map((name) => join(dbpath, name)) : [dbpath];
  const found: { name: string; path: string; read: (file: string) => string }[] = [];
  for (const one of typed.slice(0, largestFolder)) {
    const read = readers.find(([ending]) => ending.test(one))?.[1];
    const file = read ? await requirePath(filesFolder, one).catch(() => undefined) : undefined;
    if (read && file && !file.isFolder && !pattern.test(file.path)) found.push({ name: tableName(one), path: file.path, read });
  }
  if (found.length === 0) throw new QueryError(`'${dbpath}' holds no DuckDB database and no CSV, TSV, JSON or Parquet file.`);
  const names = uniqueNames(found.map(({ name }) => name.toLowerCase()));
  return {
    database: undefined,
    tables: found.map(({ path: at, read }, i) => ({ name: names[i] ?? '', path: at, from: read(quoteText(at, 'duckdb')) })),
  };
}

/** `Line 4 (new).csv.gz` → `line_4_new_`, `order.csv` → `_order`: a name that needs no quotes. */
function tableName(path: string): string {
  const base = readers.reduce((name, [ending]) => name.replace(ending, ''), basename(path));
  const plain = base.replace(/[^\p{L}\p{N}_]+/gu, '_');
  return /^\p{N}/u.test(plain) || rulesOf('duckdb').reservedNames.has(plain.toLowerCase()) ? `_${plain}` : plain;
}

export const viewText = ({ name, from }: FileTable): string => `create view ${quoteName(name, 'duckdb')} as select * from ${from}`;
