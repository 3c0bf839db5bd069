import { splitStatements } from '@telltale/domain/sql/statements.ts';
import { placeOf, QueryError, readOnlyMessage } from '../connector.ts';
import { placeOfName } from '../named-place.ts';

const readonlyCode = 164;

/** Cleans the server's message, and adds the position when the message contains one. */
export function queryErrorOf(fault: string, query: string, allowWrites: boolean): QueryError {
  const code = Number(/Code: (\d+)/.exec(fault)?.[1]);
  const message = fault
    .trim()
    .replace(/^(?:Poco::Exception\. )?Code: \d+[.,] (?:e\.code\(\) = \d+, )?(?:e\.displayText\(\) = )?/, '')
    .replace(/^(?:DB::\w*Exception: )+/, '')
    .replace(/,? e\.what\(\) = .*$/s, '')
    .replace(/(?: \([A-Z_\d]+\))?(?: \(version [^)]*(?:\([^)]*\))?[^)]*\))?\s*$/, '');
  // `SELECT … SETTINGS max_threads = 1` fails in read-only mode, although it is not a write.
  if (code === readonlyCode && !allowWrites && /^Cannot modify .*setting/i.test(message))
    return new QueryError(`SETTINGS cannot be used in a read-only data source. (${message})`);
  if (code === readonlyCode && !allowWrites) return new QueryError(`${readOnlyMessage} (${message})`);
  return new QueryError(message || 'The server failed without a reason.', placeIn(message, query));
}

function placeIn(message: string, query: string): { line?: number; column?: number } {
  const [, position] = /failed at position (\d+)/.exec(message) ?? [];
  // The server counts bytes, starting at one.
  if (position !== undefined)
    return placeOf(
      query,
      Buffer.from(query)
        .subarray(0, Number(position) - 1)
        .toString().length,
    );
  const [, name] =
    /(?:[Uu]nknown (?:expression |table |function )*(?:identifier|expression|table|function)|Missing columns|Table|Function with name)\W*?[`'" ]([\w.]+)/.exec(
      message,
    ) ?? [];
  const [statement] = splitStatements(query, 'clickhouse');
  return name !== undefined && statement ? placeOfName(query, statement, name) : {};
}
