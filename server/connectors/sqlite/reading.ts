import { constants } from 'node:sqlite';

/** Pragmas that tell something and take nothing but a name. */
const tellingPragmas = new Set(
  `table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list foreign_key_check function_list module_list
  pragma_list collation_list database_list compile_options integrity_check quick_check`.split(/\s+/),
);
/** These tell when they stand alone, and change something with a value. */
const settings = new Set(
  'application_id auto_vacuum encoding freelist_count journal_mode page_count page_size schema_version user_version'.split(' '),
);
const dangerous = new Set(['load_extension', 'fts3_tokenizer', 'writefile', 'readfile', 'edit']);

/**
 * SQLite asks this before it compiles anything: reading passes, all else does not. A read-only file alone would not
 * do: ATTACH opens other files, VACUUM INTO writes them, and some pragmas change the process.
 */
export function authorize(action: number, first: string | null, second: string | null): number {
  const isAllowed =
    action === constants.SQLITE_SELECT ||
    action === constants.SQLITE_READ ||
    action === constants.SQLITE_RECURSIVE ||
    (action === constants.SQLITE_FUNCTION && !dangerous.has(second?.toLowerCase() ?? '')) ||
    (action === constants.SQLITE_PRAGMA && isTelling(first?.toLowerCase() ?? '', second));
  return isAllowed ? constants.SQLITE_OK : constants.SQLITE_DENY;
}

const isTelling = (pragma: string, value: string | null) => tellingPragmas.has(pragma) || (settings.has(pragma) && value === null);
