import type { FieldSet } from '@telltale/domain/forms/fields.ts';
import type { Dialect } from '@telltale/domain/sql/dialect.ts';
import type { z } from 'zod';
import type { OutgoingHttp } from '../platform/outgoing.ts';
import type { Chunk } from '../wire/chunk.ts';
import type { Sink } from './sink.ts';

/** What the house hands to a door: nothing a connector could not be trusted with. */
export interface ConnectorEnv {
  /** Folder that file sources may read (design 8). */
  filesFolder: string;
  /** The one way to addresses that people typed (security 9). */
  http: OutgoingHttp;
  /** Rows of other queries, for the kind that joins results; access was checked before the statement came here. */
  results?: ResultReader;
}

export type ResultReader = (name: string) => Promise<{ columns: { name: string; type: string | null }[]; chunks: AsyncIterable<Chunk> }>;

export interface Statement {
  /** Final text: parameters bound, limit applied. */
  query: string;
  /** Several databases in one source: which one; the source's own otherwise. */
  database?: string | undefined;
  /** Plain words and numbers about who runs what, for the server's own logs. */
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

/** An open way to one source. One statement at a time; kept for the next one until it is idle for a while. */
export interface Connection {
  /** Rows go to the sink as they come. An aborted signal stops the statement on the server, then rejects. */
  run(statement: Statement, sink: Sink, signal: AbortSignal): Promise<void>;
  schema(signal: AbortSignal, database?: string): Promise<SchemaTable[]>;
  /** Proves that the source answers. */
  test(signal: AbortSignal): Promise<void>;
  /** A sentence for who set the source up, when its account can do at the server what no reader should (security 6). */
  excess?(signal: AbortSignal): Promise<string | undefined>;
  /** Sources with several databases list them. */
  databases?(signal: AbortSignal): Promise<string[]>;
  close(): Promise<void>;
  /** By this another process can stop what it runs (`Connector.stop`), should this one be killed. */
  readonly mark?: string;
  /** To be told when it runs what it is asked for by another way than the one of its mark. */
  onMark?: (mark: string) => void;
  /** Lost: the next statement needs a new one. */
  readonly isBroken?: boolean;
}

export interface Connector<O = unknown> {
  type: string;
  name: string;
  /** What the editor colours and the format button knows. */
  syntax: 'sql' | 'json' | 'yaml' | 'custom';
  supports_auto_limit: boolean;
  /** How texts are quoted and statements end; `generic` for what is not SQL. */
  dialect: Dialect;
  options: FieldSet;
  /** Blocks its process while it works, so stopping it means ending the process. */
  isBlocking: boolean;
  /** Its engine runs inside the executor and needs nothing but files or rows: it gets one without a network (security 7). */
  isEmbedded: boolean;
  /** Not offered in the type list: the house makes it. */
  isBuiltIn: boolean;
  /** Still works, but new sources should be of another kind. */
  isDeprecated: boolean;
  /** Its connections list databases to choose from. */
  hasDatabases: boolean;
  open(options: O, env: ConnectorEnv, signal: AbortSignal): Promise<Connection>;
  /** Ends at the server what a killed process left running there: not every server notices its death. */
  stop?(options: O, mark: string, signal: AbortSignal): Promise<void>;
}

type Parts<S extends FieldSet> = Pick<Connector, 'type' | 'name'> &
  Partial<Omit<Connector, 'options' | 'open' | 'stop'>> & {
    options: S;
    open(options: z.output<S>, env: ConnectorEnv, signal: AbortSignal): Promise<Connection>;
    stop?(options: z.output<S>, mark: string, signal: AbortSignal): Promise<void>;
  };

/** Saved options are parsed here, so a kind only ever sees what it declared and the list needs no `any`. */
export function defineConnector<S extends FieldSet>({ stop, ...parts }: Parts<S>): Connector {
  const parsed = (options: unknown) => parts.options.parse(options) as z.output<S>;
  return {
    syntax: 'sql',
    supports_auto_limit: true,
    dialect: 'generic',
    isBlocking: false,
    isEmbedded: false,
    isBuiltIn: false,
    isDeprecated: false,
    hasDatabases: false,
    ...parts,
    open: async (options, env, signal) => parts.open(parsed(options), env, signal),
    ...(stop && { stop: async (options, mark, signal) => stop(parsed(options), mark, signal) }),
  };
}

/** A failure whose text is for whoever wrote the query, with the place when the source tells it (complaint 5). */
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

/** Line and column, both from 1, of an offset in a text. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, Math.max(0, offset));
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: before.length - start + 1 };
}

/** Security 6: the fences around a statement are second to an account that has no such rights. */
export function excessWarning(abilities: readonly string[], because: string): string | undefined {
  if (abilities.length === 0) return undefined;
  const all = new Intl.ListFormat('en-GB').format(abilities);
  return `The account can ${all} on the database server (${because}). Use one that can only read what people here may see.`;
}

export const readOnlyMessage = 'This data source is read-only. An administrator can allow writes in its settings.';
