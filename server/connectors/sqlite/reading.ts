import { constants, type DatabaseSync } from 'node:sqlite';

/** Pragmas that only return data and take nothing but a name. Not `database_list`, which reveals the path of the file (security 27). */
const tellingPragmas = new Set(
  `table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list foreign_key_check function_list module_list
  pragma_list collation_list compile_options integrity_check quick_check`.split(/\s+/),
);
/** Pragmas that return data alone, and change something with a value. */
const settings = new Set(
  'application_id auto_vacuum data_version encoding freelist_count journal_mode page_count page_size schema_version user_version'.split(
    ' ',
  ),
);
const dangerous = new Set(['load_extension', 'fts3_tokenizer', 'writefile', 'readfile', 'edit']);

/**
 * Decides what SQLite may compile: only reading passes. A read-only file is not enough: ATTACH opens other files, VACUUM INTO writes them,
 * and some pragmas change the process.
 */
export function authorizer(ownTables: ReadonlySet<string>) {
  return (action: number, first: string | null, second: string | null, database: string | null): number => {
    const isAllowed =
      action === constants.SQLITE_SELECT ||
      action === constants.SQLITE_READ ||
      action === constants.SQLITE_RECURSIVE ||
      (action === constants.SQLITE_FUNCTION && !dangerous.has(second?.toLowerCase() ?? '')) ||
      (action === constants.SQLITE_PRAGMA && isTelling(first?.toLowerCase() ?? '', second)) ||
      ((action === constants.SQLITE_INSERT || action === constants.SQLITE_DELETE) && database === 'main' && ownTables.has(first ?? ''));
    return isAllowed ? constants.SQLITE_OK : constants.SQLITE_DENY;
  };
}

const isTelling = (pragma: string, value: string | null) => tellingPragmas.has(pragma) || (settings.has(pragma) && value === null);

/**
 * Returns the internal tables of R-trees: reading an R-tree makes the engine compile, but never run, statements that change them. Other
 * statements could be compiled as well, but the file is open for reading only.
 */
export function ownTablesOf(database: DatabaseSync): ReadonlySet<string> {
  const trees = database.prepare(
    `select name from sqlite_schema where type = 'table' and rootpage = 0 and sql like 'create virtual table%'`,
  );
  return new Set(
    (trees.all() as unknown[] as [string][]).flatMap(([name]) => ['node', 'rowid', 'parent'].map((part) => `${name}_${part}`)),
  );
}
