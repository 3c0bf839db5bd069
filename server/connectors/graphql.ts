import { flag, secret, text } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { type ConnectorEnv, defineConnector, QueryError, readOnlyMessage, type SchemaTable } from './connector.ts';
import { operationsOf } from './graphql/operations.ts';
import { ask, openingOf } from './http/ask.ts';
import { parseExactJson } from './http/exact-json.ts';
import { findPath, isPlainObject } from './http/json-path.ts';
import { RowSet } from './http/row-set.ts';
import { readYamlQuery, scalar } from './http/yaml-query.ts';

const GraphqlQuery = z.strictObject({
  query: z.string("Query must include 'query' option."),
  variables: z.record(z.string(), z.unknown(), "'variables' needs to be a list of names and values.").default({}),
  operationName: z.string().optional(),
  /** The path of the rows; by default the first list in the answer. */
  path: scalar.optional(),
  fields: z.array(scalar, "'fields' needs to be a list.").optional(),
});
type GraphqlQuery = z.output<typeof GraphqlQuery>;

/** A query with variables is written as YAML; a plain document never begins like this. */
const asYaml = /^(?:\s*#.*[\r\n])*\s*(?:query|variables|operationName|path|fields)\s*:/;

const options = z.strictObject({
  url: text('URL', { example: 'https://example.com/graphql' }),
  headers: secret('HTTP headers', { multiline: true, info: 'One in a line, as “Authorization: Bearer …”, or all as JSON.' }),
  verify: flag('Verify SSL certificate', true, { extra: true }),
  allow_writes: flag('Allow writes', false, { extra: true, info: 'Off: mutations are refused.' }),
});
type Options = z.output<typeof options>;

export const graphql = defineConnector({
  type: 'graphql',
  name: 'GraphQL',
  syntax: 'custom',
  supports_auto_limit: false,
  options,
  async open(given, env) {
    const headers = headersOf(given.headers ?? '');
    const post = (body: object, signal: AbortSignal) => answerOf(given, headers, env, body, signal);
    return {
      async run({ query: written }, sink, signal) {
        const isPlain = !asYaml.test(written);
        const { query, variables, operationName, path, fields }: GraphqlQuery = isPlain
          ? { query: written, variables: {} }
          : await readYamlQuery(written, GraphqlQuery);
        requireReading(query, given.allow_writes);
        const { data, errors } = await post({ query, variables, operationName }, signal);
        if (errors) throw failureOf(errors, isPlain);
        const rows = new RowSet(fields);
        for (const row of rowsIn(data, path)) rows.add(row);
        await rows.writeTo(sink, signal);
      },
      async schema(signal) {
        const { data, errors } = await post({ query: introspection }, signal);
        if (errors) throw failureOf(errors, false);
        return tablesOf(data);
      },
      async test(signal) {
        const { errors } = await post({ query: '{ __typename }' }, signal);
        if (errors) throw failureOf(errors, false);
      },
      close: async () => {},
    };
  },
});

function headersOf(written: string): Record<string, string> {
  if (written.trim().startsWith('{')) {
    const parsed = z.record(z.string(), scalar).safeParse(safeJson(written));
    if (!parsed.success) throw new QueryError('The HTTP headers of this data source are not valid JSON.');
    return parsed.data;
  }
  const lines = written.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^\s*([^:\s]+)\s*:(.*)$/.exec(line) ?? [];
      if (name === undefined || value === undefined)
        throw new QueryError('The HTTP headers of this data source need to be lines of a name, a colon and a value.');
      return [name, value.trim()];
    }),
  );
}

function safeJson(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}

function requireReading(document: string, allowWrites: boolean): void {
  const operations = operationsOf(document);
  if (operations.includes('subscription')) throw new QueryError('Subscriptions never end; ask a query instead.');
  if (!allowWrites && operations.some((operation) => operation !== 'query' && operation !== 'fragment'))
    throw new QueryError(readOnlyMessage);
}

const Answer = z.object({
  data: z.unknown().optional(),
  errors: z
    .array(z.object({ message: z.string(), locations: z.array(z.object({ line: z.int(), column: z.int() })).nullish() }))
    .min(1)
    .optional()
    .catch(undefined),
});
type Answer = z.output<typeof Answer>;

async function answerOf(
  { url, verify }: Options,
  headers: Record<string, string>,
  { http }: ConnectorEnv,
  body: object,
  signal: AbortSignal,
): Promise<Answer> {
  const response = await ask(http, url, {
    signal,
    method: 'POST',
    headers: { accept: 'application/json', ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    allowInvalidCertificate: !verify,
    maxBytes: 64 * 1024 ** 2,
  });
  // Errors in the query arrive with status 400 or 200, depending on the server, and with a list of errors.
  const isJson = /\bjson\b/.test(response.headers['content-type'] ?? '');
  if (!isJson && response.status !== 200)
    throw new QueryError(`Failed to execute query. Return Code: ${response.status} Reason: ${await openingOf(response)}`);
  try {
    return Answer.parse(parseExactJson(await response.text()));
  } catch (cause) {
    if (cause instanceof QueryError || signal.aborted) throw cause;
    throw new QueryError('The server does not answer as GraphQL does.', {}, cause);
  }
}

/** Positions only fit when the query is sent exactly as written. */
function failureOf(errors: NonNullable<Answer['errors']>, hasPlaces: boolean): QueryError {
  const place = errors.find(({ locations }) => locations?.length)?.locations?.[0];
  return new QueryError(errors.map(({ message }) => message).join('\n'), hasPlaces ? place : {});
}

function rowsIn(data: unknown, path: string | undefined): unknown[] {
  const found = path === undefined ? (firstList(data) ?? onlyField(data)) : findPath(data, path);
  if (found === undefined) throw new QueryError(path === undefined ? 'The answer has no data.' : `Couldn't find path ${path} in response.`);
  return Array.isArray(found) ? found : found === null ? [] : [found];
}

/** Finds the list nearest to the root. */
function firstList(data: unknown): unknown[] | undefined {
  for (let level = [data]; level.length > 0; level = level.flatMap((value) => (isPlainObject(value) ? Object.values(value) : []))) {
    const list = level.find(Array.isArray);
    if (list) return list;
  }
  return undefined;
}

function onlyField(data: unknown): unknown {
  if (!isPlainObject(data)) return undefined;
  const values = Object.values(data);
  return values.length === 1 ? values[0] : data;
}

const introspection = `{ __schema { types { kind name description fields(includeDeprecated: true) { name description
  type { ...T ofType { ...T ofType { ...T ofType { ...T } } } } } } } } fragment T on __Type { kind name }`;

const Type = z.object({
  kind: z.string(),
  name: z.string().nullable(),
  get ofType() {
    return Type.nullish();
  },
});
const Schema = z.object({
  __schema: z.object({
    types: z.array(
      z.object({
        kind: z.string(),
        name: z.string(),
        description: z.string().nullish(),
        fields: z.array(z.object({ name: z.string(), description: z.string().nullish(), type: Type })).nullish(),
      }),
    ),
  }),
});

/** Lists the object types with their fields, which a query can use. */
function tablesOf(data: unknown): SchemaTable[] {
  const parsed = Schema.safeParse(data);
  if (!parsed.success) throw new QueryError('The server does not tell its schema.', {}, parsed.error);
  return parsed.data.__schema.types
    .filter(({ kind, name }) => (kind === 'OBJECT' || kind === 'INTERFACE') && !name.startsWith('__'))
    .map(({ name, description, fields }) => ({
      name,
      ...(description && { description }),
      columns: (fields ?? []).map((field) => ({
        name: field.name,
        type: typeName(field.type),
        ...(field.description && { description: field.description }),
      })),
    }));
}

function typeName({ kind, name, ofType }: z.output<typeof Type>): string {
  const inner = ofType ? typeName(ofType) : '';
  if (kind === 'NON_NULL') return `${inner}!`;
  return kind === 'LIST' ? `[${inner}]` : (name ?? '');
}
