import { type DuckDBConnection, type DuckDBPreparedStatement, StatementType } from '@duckdb/node-api';
import { firstKeyword, type Statement as SqlStatement } from '@telltale/domain/sql/statements.ts';
import { isBlankToken } from '@telltale/domain/sql/tokenize.ts';
import { QueryError } from '../connector.ts';
import { readOnlyFileMessage } from '../files.ts';

/** The read-only transaction only lets CREATE make temporary objects; a PIVOT consists of a CREATE and a SELECT. */
const reading = new Set([StatementType.SELECT, StatementType.CREATE]);

/** Checks the engine's own statement type. COPY, EXPORT and ATTACH never run, because readable files could also be written. */
export async function requireReading(
  connection: DuckDBConnection,
  statement: SqlStatement,
  { statementType }: DuckDBPreparedStatement,
): Promise<void> {
  if (reading.has(statementType)) return;
  // The locked engine refuses settings anyway, but a setting is not a write.
  if (statementType === StatementType.SET || statementType === StatementType.VARIABLE_SET)
    throw new QueryError(`${firstKeyword(statement)} cannot be used in this data source.`);
  if (statementType !== StatementType.EXPLAIN) throw new QueryError(readOnlyFileMessage);
  const extracted = await connection.extractStatements(explained(statement));
  for (let i = 0; i < extracted.count; i++) {
    if (!reading.has((await extracted.prepare(i)).statementType)) throw new QueryError(readOnlyFileMessage);
  }
}

/** Returns the statement inside an EXPLAIN, because `EXPLAIN ANALYZE` runs it. */
function explained({ text, start, tokens }: SqlStatement): string {
  const [, ...rest] = tokens.filter((token) => !isBlankToken(token));
  let next = rest[0];
  if (next?.kind === 'word' && next.text.toUpperCase() === 'ANALYZE') next = rest[1];
  else if (next?.kind === 'open') next = rest[rest.findIndex(({ kind }) => kind === 'close') + 1];
  return next ? text.slice(next.start - start) : '';
}
