import { splitStatements } from '@telltale/domain/sql/statements.ts';
import { isBlankToken, type Token } from '@telltale/domain/sql/tokenize.ts';
import { QueryError } from '../connector.ts';
import { nameIn } from '../named-place.ts';
import type { Engine } from './engine.ts';

/**
 * Security 7: functions of the engine that do more than read rows, even when it is locked. A read-only transaction and
 * `enable_external_access = false` do not stop them (tried with 1.5.5: refused.test.ts checks all of them).
 */

/** Functions that write files: profiles and logs can overwrite every readable file, so also the files of the source. */
const writers = [
  'enable_profiling',
  'disable_profiling',
  'enable_profile',
  'disable_profile',
  'enable_logging',
  'disable_logging',
  'truncate_duckdb_logs',
  'write_log',
  'force_checkpoint',
];
/** Functions that change the parser for later statements, or read memory by its address. */
const changers = ['enable_peg_parser', 'disable_peg_parser', 'arrow_scan', 'arrow_scan_dumb', 'seq_scan'];
/** Functions that run a text or read a table given as a value, which a check of the statement cannot see. */
const runners = ['json_execute_serialized_sql', 'query_table'];
/** Functions that return paths of the machine (security 27), as values that a statement can transform. */
const tellers = [
  'current_setting',
  'duckdb_settings',
  'duckdb_profiling_settings',
  'pg_settings',
  'duckdb_databases',
  'pragma_database_list',
  'duckdb_extensions',
  'duckdb_secrets',
  'which_secret',
  'duckdb_logs',
  'duckdb_logs_parsed',
  'duckdb_log_contexts',
  'duckdb_external_file_cache',
  'duckdb_temporary_files',
  'duckdb_views',
  'sqlite_master',
  'sqlite_schema',
  'sqlite_temp_master',
  'sqlite_temp_schema',
  'pg_views',
  'pg_get_viewdef',
];
/** Names that only the engine uses, never a column: refused everywhere. */
export const refusedNames: ReadonlySet<string> = new Set([...writers, ...changers, ...runners, ...tellers]);
/** Plain words that are functions only before a parenthesis. */
export const refusedCalls: ReadonlySet<string> = new Set(['query', 'checkpoint']);

/** Returns the first refused name in a text. */
function refusedIn(tokens: readonly Token[]): string | undefined {
  const solid = tokens.filter((token) => !isBlankToken(token));
  const nameAt = (at: number) => nameIn(solid[at] as Token)?.toLowerCase();
  const found = solid.findIndex((token, at) => {
    const name = nameIn(token)?.toLowerCase() ?? '';
    if (refusedNames.has(name)) return true;
    if (refusedCalls.has(name)) return solid[at + 1]?.kind === 'open';
    return name === 'views' && at > 1 && solid[at - 1]?.text === '.' && nameAt(at - 2) === 'information_schema';
  });
  return found < 0 ? undefined : nameIn(solid[found] as Token);
}

export function requireHarmless(tokens: readonly Token[]): void {
  const name = refusedIn(tokens);
  if (name !== undefined) throw new QueryError(`${name} cannot be used in this data source.`);
}

/** Full names, because a database may define functions with the same names as the engine's. */
const definitions = `
  select sql from system.main.duckdb_views() where not internal
  union all select sql from system.main.duckdb_tables() where not internal
  union all select macro_definition from system.main.duckdb_functions() where not internal`;

/** Refuses databases with dangerous views or macros, which would run for every reader. */
export async function requireHarmlessDatabase(engine: Engine): Promise<void> {
  for (const [text] of await engine.rows(definitions)) {
    if (typeof text !== 'string') continue;
    const name = splitStatements(text, 'duckdb').flatMap(({ tokens }) => refusedIn(tokens) ?? [])[0];
    if (name !== undefined)
      throw new QueryError(`A view or macro of this database uses ${name}, which cannot be used in this data source.`);
  }
}
