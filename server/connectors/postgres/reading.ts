import { firstKeyword, type Statement as SqlStatement } from '@telltale/domain/sql/statements.ts';
import { isBlankToken } from '@telltale/domain/sql/tokenize.ts';
import { placeOf, QueryError, readOnlyMessage } from '../connector.ts';
import { nameIn } from '../named-place.ts';

/**
 * A read-only transaction refuses changed rows, wherever they hide. It does not refuse what ends it, what writes files
 * or runs programs (COPY, UNLOAD, EXPORT), so only these statements run in it.
 */
const reading = new Set(['SELECT', 'WITH', 'VALUES', 'TABLE', 'SHOW', 'EXPLAIN', 'DECLARE', 'FETCH', 'MOVE', 'CLOSE']);

/**
 * Functions that reach the server's files, other servers or other people's sessions (security 6). A second fence: the
 * first one is a role that may not call them.
 */
const dangerous = new Set(
  `pg_read_file pg_read_binary_file pg_stat_file pg_ls_dir pg_ls_logdir pg_ls_waldir pg_ls_tmpdir pg_ls_archive_statusdir pg_logdir_ls
  pg_file_read pg_file_write pg_file_rename pg_file_unlink pg_file_sync lo_import lo_export
  dblink dblink_exec dblink_connect dblink_connect_u dblink_open dblink_send_query
  query_to_xml query_to_xmlschema query_to_xml_and_xmlschema
  pg_terminate_backend pg_cancel_backend pg_reload_conf pg_rotate_logfile pg_promote pg_switch_wal`.split(/\s+/),
);

export function requireReading(query: string, statements: readonly SqlStatement[]): void {
  for (const statement of statements) {
    if (!reading.has(firstKeyword(statement) ?? '')) throw new QueryError(readOnlyMessage, placeOf(query, statement.start));
    const solid = statement.tokens.filter((token) => !isBlankToken(token));
    const call = solid.find((token, i) => {
      // U&"…" can write any name in another way.
      const isHidden = token.kind === 'quoted-identifier' && !token.text.startsWith('"');
      return isHidden || (dangerous.has(nameIn(token)?.toLowerCase() ?? '') && solid[i + 1]?.kind === 'open');
    });
    if (call) throw new QueryError(`${call.text} cannot be used in a read-only data source.`, placeOf(query, call.start));
  }
}
