import type { FieldSet } from '@telltale/domain/forms/fields.ts';
import type { Dialect } from '@telltale/domain/sql/dialect.ts';
import type { z } from 'zod';
import type { OutgoingHttp } from '../platform/outgoing.ts';
import type { Chunk } from '../wire/chunk.ts';
import type { Driver } from './drivers.ts';
import type { Sink } from './sink.ts';

/** The services that a connector may use. */
export interface ConnectorEnv {
  /** Folder that file sources may read (design 8). */
  filesFolder: string;
  /** The guarded client for user-supplied addresses (security 9). */
  http: OutgoingHttp;
  /** Rows of other queries, for the connector that joins results; access is checked before the statement arrives here. */
  results?: ResultReader;
}

export type ResultReader = (name: string) => Promise<{ columns: { name: string; type: string | null }[]; chunks: AsyncIterable<Chunk> }>;

export interface Statement {
  /** The final text: parameters are bound and the limit is applied. */
  query: string;
  /** The database, in sources with several; the source's own by default. */
  database?: string | undefined;
  /** Session time zone as an IANA name; UTC by default. Only for connectors whose `sessionZone` is not `none`. */
  time_zone?: string | undefined;
  /** server-behaviour 8.6: who runs what, for the server's own logs. Written into the text, it loses what could end a comment. */
  note?: string | undefined;
}

export interface SchemaColumn {
  name: string;
  type?: string | null;
  description?: string;
}

export interface SchemaTable {
  name: string;
  columns: SchemaColumn[];
  description?: string;
}

/** An open connection to a source. It runs one statement at a time and is reused until it has been idle for a while. */
export interface Connection {
  /** Writes rows to the sink as they arrive. An abort stops the statement on the server, then rejects. */
  run(statement: Statement, sink: Sink, signal: AbortSignal): Promise<void>;
  schema(signal: AbortSignal, database?: string): Promise<SchemaTable[]>;
  /** Checks that the source answers. */
  test(signal: AbortSignal): Promise<void>;
  /** Returns a warning for the administrator when the source's account has more rights than a reader needs (security 6). */
  excess?(signal: AbortSignal): Promise<string | undefined>;
  /** Lists the databases of sources that have several. */
  databases?(signal: AbortSignal): Promise<string[]>;
  close(): Promise<void>;
  /** With this mark another process can stop the running statement (`Connector.stop`) when this process is killed. */
  readonly mark?: string;
  /** Called when a statement runs on another connection than the one of `mark`. */
  onMark?: (mark: string) => void;
  /** True when the connection is lost: the next statement needs a new one. */
  readonly isBroken?: boolean;
}

export interface Connector<O = unknown> {
  type: string;
  name: string;
  /** The language for the editor's colours and the format button. */
  syntax: 'sql' | 'json' | 'yaml' | 'custom';
  supports_auto_limit: boolean;
  /** The rules for quotes and ends of statements; `generic` for languages other than SQL. */
  dialect: Dialect;
  options: FieldSet;
  /**
   * Options of upstream that are none here, with the values that say what the connector does anyway. Scripts send them along, so they are
   * accepted and not kept; any other value is refused as an unknown field.
   */
  upstreamDefaults: Readonly<Record<string, readonly unknown[]>>;
  /** True when it blocks its process while it works, so that only ending the process stops it. */
  isBlocking: boolean;
  /** True when its engine runs inside the executor and needs only files or rows: its process has no network (security 7). */
  isEmbedded: boolean;
  /** True when its engine writes nothing beside the files it reads: Linux mounts their folder read-only for it, where possible. */
  isFolderReadOnly: boolean;
  /** True for sources that Telltale creates: the type list does not offer them. */
  isBuiltIn: boolean;
  /** True when it still works, but new sources should use another type. */
  isDeprecated: boolean;
  /** The time zone of sessions: the viewer's, the one of the option `session_time_zone`, or none. */
  sessionZone: 'viewer' | 'option' | 'none';
  /** True when its connections list databases to choose from. */
  hasDatabases: boolean;
  /** The package that it needs; the type list says when it is missing. */
  driver?: Driver;
  open(options: O, env: ConnectorEnv, signal: AbortSignal): Promise<Connection>;
  /** Ends the statement that a killed process left running on the server: not every server notices the lost connection. */
  stop?(options: O, mark: string, signal: AbortSignal): Promise<void>;
  /** The same where only the beginning of its note is known, because the worker was killed together with its executor. */
  stopNoted?(options: O, note: string, signal: AbortSignal): Promise<void>;
}

type Parts<S extends FieldSet> = Pick<Connector, 'type' | 'name'> &
  Partial<Omit<Connector, 'options' | 'open' | 'stop' | 'stopNoted'>> & {
    options: S;
    open(options: z.output<S>, env: ConnectorEnv, signal: AbortSignal): Promise<Connection>;
    stop?(options: z.output<S>, mark: string, signal: AbortSignal): Promise<void>;
    stopNoted?(options: z.output<S>, note: string, signal: AbortSignal): Promise<void>;
  };

/** Saved options are parsed here, so a kind only ever sees what it declared and the list needs no `any`. */
export function defineConnector<S extends FieldSet>({ stop, stopNoted, ...parts }: Parts<S>): Connector {
  const parsed = (options: unknown) => parts.options.parse(options) as z.output<S>;
  return {
    syntax: 'sql',
    supports_auto_limit: true,
    dialect: 'generic',
    upstreamDefaults: {},
    isBlocking: false,
    isEmbedded: false,
    isFolderReadOnly: false,
    isBuiltIn: false,
    isDeprecated: false,
    hasDatabases: false,
    sessionZone: 'none',
    ...parts,
    open: async (options, env, signal) => parts.open(parsed(options), env, signal),
    ...(stop && { stop: async (options, mark, signal) => stop(parsed(options), mark, signal) }),
    ...(stopNoted && { stopNoted: async (options, note, signal) => stopNoted(parsed(options), note, signal) }),
  };
}

/** An error whose text is for the author of the query, with the place when the source reports it (complaint 5). */
export class QueryError extends Error {
  override name = 'QueryError';
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(message: string, place: { line?: number | undefined; column?: number | undefined } = {}, cause?: unknown) {
    super(message, { cause });
    this.line = place.line;
    this.column = place.column;
  }
}

/** Returns the line and column, both from 1, of an offset in a text. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, Math.max(0, offset));
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: before.length - start + 1 };
}

/** Security 6: the checks on statements only back up an account without such rights. */
export function excessWarning(abilities: readonly string[], because: string): string | undefined {
  if (abilities.length === 0) return undefined;
  const all = new Intl.ListFormat('en-GB').format(abilities);
  return `The account can ${all} on the database server (${because}). Use one that can only read what people here may see.`;
}

export const readOnlyMessage = 'This data source is read-only. An administrator can allow writes in its settings.';
