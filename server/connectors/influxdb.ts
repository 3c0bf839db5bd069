import { flag, optionalText, secret, text } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import type { OutgoingResponse } from '../platform/outgoing.ts';
import { type Connection, type ConnectorEnv, defineConnector, QueryError, type SchemaTable } from './connector.ts';
import { ask, basicAuth, openingOf } from './http/ask.ts';
import { apiAddress } from './http/base-url.ts';
import { parseExactJson } from './http/exact-json.ts';
import { linesOf } from './http/lines.ts';
import { requireReading } from './influxdb/influxql.ts';
import { type Series, SeriesWriter } from './influxdb/series-writer.ts';

const options = z.strictObject({
  url: text('URL', { example: 'http://127.0.0.1:8086' }),
  database: optionalText('Database'),
  username: optionalText('Username'),
  password: secret('Password'),
  verify_ssl: flag('Verify SSL certificate', true, { extra: true }),
});
type Options = z.output<typeof options>;

export const influxdb = defineConnector({
  type: 'influxdb',
  name: 'InfluxDB',
  syntax: 'custom',
  supports_auto_limit: false,
  hasDatabases: true,
  options,
  open: async (given, env) => new InfluxConnection(given, env),
});

const SeriesAnswer = z.object({
  name: z.string().default(''),
  tags: z.record(z.string(), z.string()).default({}),
  columns: z.array(z.string()),
  values: z.array(z.array(z.unknown())).default([]),
});

const Answer = z.object({
  error: z.string().optional(),
  results: z
    .array(
      z.object({
        statement_id: z.int().default(0),
        error: z.string().optional(),
        series: z.array(SeriesAnswer).default([]),
        messages: z.array(z.object({ text: z.string() })).default([]),
      }),
    )
    .default([]),
});
type Result = z.output<typeof Answer>['results'][number];

/** InfluxDB 1.x: one request for each statement; the server stops it when the connection closes. */
class InfluxConnection implements Connection {
  readonly #options: Options;
  readonly #env: ConnectorEnv;

  constructor(given: Options, env: ConnectorEnv) {
    this.#options = given;
    this.#env = env;
  }

  async run(...[{ query, database }, sink, signal]: Parameters<Connection['run']>): Promise<void> {
    const last = requireReading(query) - 1;
    const writer = new SeriesWriter(sink);
    for await (const { statement_id, series, messages } of this.#results(query, signal, database)) {
      sink.log.push(...messages.map((message) => message.text));
      // Design 8: the last of several statements provides the rows.
      if (statement_id !== last) continue;
      for (const one of series) await writer.add(one);
      signal.throwIfAborted();
    }
    await writer.finish();
  }

  async schema(signal: AbortSignal, database?: string): Promise<SchemaTable[]> {
    const tables = new Map<string, SchemaTable>();
    const see = ({ name, values }: Series, typeOf: (type: unknown) => string) => {
      const table = tables.get(name) ?? { name, columns: [{ name: 'time', type: 'datetime' }] };
      tables.set(name, table);
      for (const [column, type] of values) table.columns.push({ name: String(column), type: typeOf(type) });
    };
    for await (const { series } of this.#results('SHOW FIELD KEYS', signal, database)) for (const one of series) see(one, String);
    for await (const { series } of this.#results('SHOW TAG KEYS', signal, database)) for (const one of series) see(one, () => 'tag');
    return [...tables.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  async databases(signal: AbortSignal): Promise<string[]> {
    const names: string[] = [];
    for await (const { series } of this.#results('SHOW DATABASES', signal))
      names.push(...series.flatMap(({ values }) => values.map(([name]) => String(name))));
    return names.filter((name) => name !== '_internal');
  }

  async test(signal: AbortSignal): Promise<void> {
    const databases = await this.databases(signal);
    const { database } = this.#options;
    if (database !== undefined && !databases.includes(database)) throw new QueryError(`There is no database '${database}'.`);
  }

  async close(): Promise<void> {}

  async *#results(query: string, signal: AbortSignal, database = this.#options.database): AsyncGenerator<Result> {
    const response = await this.#ask(query, signal, database);
    let isWhole = false;
    for await (const lines of linesOf(response.body)) {
      for (const line of lines.filter((one) => one.trim() !== '')) {
        const answer = read(line, response);
        const error = answer.error ?? answer.results.find((result) => result.error !== undefined)?.error;
        if (error !== undefined) throw failureOf(error);
        yield* answer.results;
        isWhole = true;
      }
    }
    if (!isWhole) throw new QueryError(`The server answered with nothing (${response.status}).`);
  }

  async #ask(query: string, signal: AbortSignal, database: string | undefined): Promise<OutgoingResponse> {
    const { url, username, password = '', verify_ssl } = this.#options;
    const parameters = new URLSearchParams({
      q: query,
      chunked: 'true',
      chunk_size: '10000',
      ...(database !== undefined && { db: database }),
    });
    const response = await ask(this.#env.http, apiAddress(url, 'query'), {
      signal,
      method: 'POST',
      body: String(parameters),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(username !== undefined && { authorization: basicAuth(username, password) }),
      },
      trusted: true,
      allowInvalidCertificate: !verify_ssl,
      timeoutMs: Number.POSITIVE_INFINITY,
      idleMs: Number.POSITIVE_INFINITY,
      maxBytes: Number.POSITIVE_INFINITY,
    });
    if (!/\bjson\b/.test(response.headers['content-type'] ?? '')) {
      throw new QueryError(`The server does not answer as InfluxDB does (${response.status}): ${await openingOf(response, 200)}`);
    }
    return response;
  }
}

function read(line: string, { status }: OutgoingResponse): z.output<typeof Answer> {
  try {
    return Answer.parse(parseExactJson(line));
  } catch (cause) {
    throw new QueryError(`The server does not answer as InfluxDB does (${status}).`, {}, cause);
  }
}

function failureOf(message: string): QueryError {
  const [, line, column] = /at line (\d+), char (\d+)/.exec(message) ?? [];
  return new QueryError(message, line === undefined ? {} : { line: Number(line), column: Number(column) });
}
