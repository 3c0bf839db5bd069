import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { quoteText } from '@telltale/domain/sql/quote.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealing } from '../../executor/seal.ts';
import { duckdb } from '../duckdb.ts';
import { type Executors, startExecutors } from '../testing/executors.ts';
import { runOnce } from '../testing/run-table.ts';
import { refusedCalls, refusedNames } from './refused.ts';

/** Functions of the pinned version that read rows, or only return names of tables, columns and types. */
const harmless = new Set(
  `check_peg_parser duckdb_approx_database_count duckdb_columns duckdb_connection_count duckdb_constraints duckdb_coordinate_systems
  duckdb_dependencies duckdb_functions duckdb_indexes duckdb_keywords duckdb_memory duckdb_optimizers duckdb_prepared_statements
  duckdb_schemas duckdb_secret_types duckdb_sequences duckdb_table_sample duckdb_tables duckdb_types duckdb_variables generate_series
  glob icu_calendar_names json_each json_tree parquet_bloom_probe parquet_file_metadata parquet_full_metadata parquet_kv_metadata
  parquet_metadata parquet_scan parquet_schema pg_timezone_names pragma_collations pragma_database_size pragma_metadata_info
  pragma_platform pragma_show pragma_storage_info pragma_table_info pragma_user_agent pragma_version range read_blob read_csv
  read_csv_auto read_duckdb read_json read_json_auto read_json_objects read_json_objects_auto read_ndjson read_ndjson_auto
  read_ndjson_objects read_parquet read_text repeat repeat_row sniff_csv sql_auto_complete summary test_all_types test_vector_types
  unnest histogram histogram_values`.split(/\s+/),
);

let folder = '';
let instance: DuckDBInstance | undefined;
let executors: Executors | undefined;
const env = { filesFolder: '' };
const stock = '[{"a":1}]';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telltale-refused-'));
  env.filesFolder = folder;
  instance = await DuckDBInstance.create(':memory:');
  await writeFile(join(folder, 'stock.json'), stock);
  await writeFile(join(folder, 'stock.txt.csv'), 'a\n1\n');
  executors = startExecutors(folder, 1);
});
afterAll(async () => {
  instance?.closeSync();
  await executors?.close();
  await rm(folder, { recursive: true });
});

async function list(text: string): Promise<string[]> {
  const connection = await (instance as DuckDBInstance).connect();
  const rows = await (await connection.run(text)).getRowsJson();
  connection.closeSync();
  return rows.flat() as string[];
}
const functionsOf = (...types: string[]) =>
  list(
    `select distinct function_name from duckdb_functions() where function_type in (${types.map((type) => quoteText(type, 'duckdb'))}) order by 1`,
  );

const run = (query: string, dbpath = 'stock.json') => runOnce(duckdb, { dbpath }, query, { env });
const answerTo = (query: string, dbpath?: string) =>
  run(query, dbpath).then(
    ({ rows }) => JSON.stringify(rows),
    (error: Error) => error.message,
  );
const state = async () => [(await readdir(folder)).sort(), await readFile(join(folder, 'stock.json'), 'utf8')];

describe('security 7: every table function and pragma of the pinned engine', () => {
  test('is refused or known to be harmless: a new version has its new ones judged', async () => {
    const all = await functionsOf('table', 'table_macro');
    expect(all.filter((name) => !harmless.has(name) && !refusedNames.has(name) && !refusedCalls.has(name))).toEqual([]);
    expect(all.length).toBeGreaterThan(80);
  });

  test('writes nothing and tells no folder, however it is called', async () => {
    const before = await state();
    const place = quoteText(join(folder, 'stock.json'), 'duckdb');
    for (const name of await functionsOf('table', 'table_macro')) {
      const options = harmless.has(name) ? place : `save_location = ${place}, format = 'json'`;
      const told = await answerTo(`from ${name}(); select 1 as a`);
      expect([name, told.includes(folder)]).toEqual([name, false]);
      await answerTo(`from ${name}(${options}); select 1 as a`);
    }
    expect(await state()).toEqual(before);
  });

  test('as a pragma, too', async () => {
    const before = await state();
    const place = quoteText(join(folder, 'stock.json'), 'duckdb');
    for (const name of await functionsOf('pragma')) {
      const told = await answerTo(`pragma ${name}; call ${name}(); select 1 as a`);
      expect([name, told.includes(folder)]).toEqual([name, false]);
      for (const text of [`pragma ${name}(${place})`, `pragma ${name} = ${place}`]) await answerTo(`${text}; select 1 as a`);
    }
    expect(await state()).toEqual(before);
  });

  test.each([
    'from enable_profiling(format = $$json$$, save_location = $$stock.json$$)',
    `from "ENABLE_PROFILING" (format='json')`,
    `from system.main.enable_profiling/* x */()`,
    `select 'allowed_paths'.current_setting()`,
    `select reverse(current_setting('temp_directory'))`,
    'select reverse(v::text) from information_schema.views v',
    `select reverse(x::text) from "information_schema" . "views" x`,
    'select hex(sql) from sqlite_master',
    `from query('from enable_' || 'profiling()')`,
    `select * from query_table('pg_' || 'settings')`,
    `select write_log('x')`,
  ])('%s is refused by its name', async (query) => {
    await expect(run(query)).rejects.toThrow(/^\w+ cannot be used in this data source\.$/);
  });

  test('a text, a comment or a column called as one of them is not', async () => {
    expect((await run(`select 'current_setting' as query, 1 as checkpoint -- enable_profiling`)).rows).toEqual([
      { query: 'current_setting', checkpoint: 1 },
    ]);
  });

  test('a view or macro of a database file does not hide one', async () => {
    for (const [name, text] of Object.entries({
      view: `create view v as select * from enable_logging(storage = 'file', storage_path = 'x')`,
      macro: `create macro v() as table select * from enable_profiling(format = 'json')`,
      scalar: `create macro v() as (select reverse(current_setting('allowed_paths')::text))`,
      shadowed: `create macro duckdb_functions() as table select 1 as a; create view v as from duckdb_settings()`,
    })) {
      const file = await DuckDBInstance.create(join(folder, `${name}.duckdb`));
      const connection = await file.connect();
      await connection.run(text);
      connection.closeSync();
      file.closeSync();
      await expect(run('select 1', `${name}.duckdb`)).rejects.toThrow(/^A view or macro of this database uses \w+, which cannot be used/);
    }
  });
});

test('security 7: its process cannot write in the folder for files, where the system can take that away', async () => {
  await (executors as Executors).run({ type: 'duckdb', options: { dbpath: 'stock.json' } }, 'select * from stock');
  const pids = (await executors?.pids()) ?? [];
  const mounts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/mountinfo`, 'utf8').catch(() => '')));
  const readOnly = mounts.filter((text) => text.split('\n').some((line) => line.includes(` ${folder} ro`)));
  const isPossible = sealing('network and writing', folder).includes('--mount');
  expect(readOnly).toHaveLength(isPossible ? 1 : 0);
});
