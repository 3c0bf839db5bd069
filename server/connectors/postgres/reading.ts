import { firstKeyword, type Statement as SqlStatement } from '@telltale/domain/sql/statements.ts';
import { isBlankToken, type Token } from '@telltale/domain/sql/tokenize.ts';
import { placeOf, QueryError, readOnlyMessage } from '../connector.ts';
import { nameIn } from '../named-place.ts';

/**
 * Statements that may run in a read-only transaction. The transaction refuses all changes of rows, but neither statements that end it nor
 * those that write files or run programs (COPY, UNLOAD, EXPORT).
 */
const reading = new Set(['SELECT', 'WITH', 'VALUES', 'TABLE', 'SHOW', 'EXPLAIN', 'DECLARE', 'FETCH', 'MOVE', 'CLOSE', 'SET']);
/** Other words that begin a statement somewhere in the family: refused without asking the server. */
const other = new Set(
  `ABORT ALTER ANALYZE APPEND ATTACH BACKUP BEGIN CALL CANCEL CHECKPOINT CLUSTER COMMENT COMMIT COPY CREATE DEALLOCATE DELETE DESC DESCRIBE
  DETACH DISCARD DO DROP END EXECUTE EXPORT GRANT IMPORT INSERT LISTEN LOAD LOCK MERGE NOTIFY OPTIMIZE PAUSE PREPARE REASSIGN REFRESH REINDEX
  RELEASE REPACK RESET RESTORE RESUME REVOKE ROLLBACK SAVEPOINT SECURITY SPLIT START TRUNCATE UNLISTEN UNLOAD UNSPLIT UPDATE UPSERT USE VACUUM
  WAIT`.split(/\s+/),
);

/** Settings that a script may change: they end with the transaction, and affect neither the ends of texts nor the format of values. */
const harmlessSetting = /^(?:search_path|timezone|jit|random_page_cost|query_group|enable_\w+)$/;

/**
 * Functions that reach the server's files, other servers or other sessions, run a text that was not checked, or change where texts end
 * for the statements after them (security 6). This check backs up a role without the right to call them.
 */
const dangerous = new Set(
  `pg_read_file pg_read_binary_file pg_stat_file pg_logdir_ls lo_import lo_export get_raw_page
  set_config query_to_xml query_to_xmlschema query_to_xml_and_xmlschema ts_stat connectby xpath_table
  http http_get http_post http_put http_patch http_delete http_head http_set_curlopt http_reset_curlopt
  table_import_from_s3 query_export_to_s3
  pg_terminate_backend pg_cancel_backend pg_reload_conf pg_rotate_logfile pg_promote pg_switch_wal pg_switch_xlog
  pg_create_restore_point pg_create_physical_replication_slot pg_create_logical_replication_slot pg_drop_replication_slot
  pg_copy_physical_replication_slot pg_copy_logical_replication_slot pg_sync_replication_slots pg_logical_emit_message
  pg_start_backup pg_stop_backup pg_stat_statements_reset pg_log_backend_memory_contexts`.split(/\s+/),
);
/** Prefixes of such functions. */
const dangerousBeginning =
  /^(dblink|crosstab|pg_ls_|pg_file_|pg_logical_slot_|pg_replication_(slot|origin)_|pg_backup_|pg_(wal|xlog)_replay_(pause|resume)|pg_stat_reset|pg_background_)/;
/** Extensions whose functions all reach outside. */
const dangerousSchemas = new Set(['aws_s3', 'aws_lambda', 'azure_storage', 'cron']);

/** True when the first word begins no statement, so that it is most likely a typing mistake. */
export function isMistyped(statement: SqlStatement): boolean {
  const word = firstKeyword(statement) ?? '';
  return !reading.has(word) && !other.has(word);
}

/** Checks all statements. Mistyped ones pass: the caller has the server report them by a Parse, which runs nothing. */
export function requireReading(query: string, statements: readonly SqlStatement[]): void {
  for (const statement of statements) {
    const word = firstKeyword(statement) ?? '';
    if (other.has(word)) throw new QueryError(readOnlyMessage, placeOf(query, statement.start));
    const solid = statement.tokens.filter((token) => !isBlankToken(token));
    if (word === 'SET') requireHarmless(query, solid);
    const call = solid.find((token, i) => {
      // U&"…" can disguise any name.
      const isHidden = token.kind === 'quoted-identifier' && !token.text.startsWith('"');
      return isHidden || (solid[i + 1]?.kind === 'open' && isDangerous(solid, i));
    });
    if (call) throw cannotBeUsed(call.text, placeOf(query, call.start));
  }
}

const cannotBeUsed = (what: string, place: { line: number; column: number }) =>
  new QueryError(`${what} cannot be used in a read-only data source.`, place);

/** Allows only harmless settings: `SET [SESSION | LOCAL] name = …`, `… name TO …`, `… TIME ZONE …`. */
function requireHarmless(query: string, [set, ...rest]: readonly Token[]): void {
  const [name, next] = /^(?:session|local)$/i.test(rest[0]?.text ?? '') ? rest.slice(1) : rest;
  const named = (name && nameIn(name)?.toLowerCase()) ?? '';
  const isZone = named === 'time' && next?.text.toLowerCase() === 'zone';
  const isAssigned = next?.text === '=' || next?.text.toLowerCase() === 'to';
  if (set?.kind === 'word' && (isZone || (isAssigned && harmlessSetting.test(named)))) return;
  throw cannotBeUsed(`SET ${name?.text ?? ''}`.trim(), placeOf(query, set?.start ?? 0));
}

function isDangerous(solid: readonly Token[], at: number): boolean {
  const named = (place: number) => (solid[place] && nameIn(solid[place])?.toLowerCase()) ?? '';
  const name = named(at);
  if (name === '') return false;
  if (dangerous.has(name) || dangerousBeginning.test(name)) return true;
  if (solid[at - 1]?.text === '.' && dangerousSchemas.has(named(at - 2))) return true;
  // The second of two arguments is a query.
  return name === 'ts_rewrite' && argumentCount(solid, at + 1) < 3;
}

function argumentCount(solid: readonly Token[], open: number): number {
  let [depth, count] = [0, 1];
  for (const { kind, text } of solid.slice(open)) {
    if (kind === 'open' || text === '[') depth++;
    if ((kind === 'close' || text === ']') && --depth === 0) break;
    if (text === ',' && depth === 1) count++;
  }
  return count;
}
