import { ResultLimitError } from '../../wire/limits.ts';
import { placeOf, QueryError } from '../connector.ts';
import { readOnlyFileMessage } from '../files.ts';

/** An error of the engine in JSON form; `position` counts bytes of the text. */
interface Fault {
  exception_type: string;
  exception_message: string;
  position?: string;
}

/** An error that went unnoticed while rows arrived, because the driver ends a broken stream like a complete one. */
export class BrokenStream extends Error {
  override name = 'BrokenStream';
}

const sqliteMessage = 'This is a SQLite database. Use a data source of the type SQLite for it.';
const messageOf = (error: unknown) => (error instanceof Error ? error.message : '');

function faultOf(error: unknown): Fault | undefined {
  const message = messageOf(error);
  const json = message.slice(message.indexOf('{'));
  try {
    const fault: unknown = JSON.parse(json);
    return typeof fault === 'object' && fault !== null && 'exception_type' in fault ? (fault as Fault) : undefined;
  } catch {
    return undefined;
  }
}

/** `sent` is the text that the engine got; `originalOffset` maps a position in it to the user's text. */
export function queryErrorOf(error: unknown, query: string, sent: string, originalOffset: (offset: number) => number): unknown {
  if (error instanceof ResultLimitError) return new QueryError(error.message, {}, error);
  const fault = faultOf(error);
  // The engine recognises a SQLite file, but its message asks for an extension and names a path of the machine.
  if (!fault && /sqlite_scanner\.duckdb_extension/.test(messageOf(error))) return new QueryError(sqliteMessage, {}, error);
  if (!fault) return error;
  const { exception_type: type, exception_message: message, position } = fault;
  if (type === 'Out of Memory') return new QueryError('This query needs more memory than one query may use.', {}, error);
  if (/read-only mode/.test(message)) return new QueryError(readOnlyFileMessage, {}, error);
  if (/^Cannot access directory ".*\.duckdb/.test(message))
    return new QueryError('The files of the engine itself cannot be read.', {}, error);
  const place = position === undefined ? {} : placeOf(query, originalOffset(unitsIn(sent, Number(position))));
  return new QueryError(`${type} Error: ${message}`, place, error);
}

const unitsIn = (text: string, bytes: number) => Buffer.from(text).subarray(0, bytes).toString('utf8').length;
