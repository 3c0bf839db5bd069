import { z } from 'zod';
import { type ConnectorEnv, QueryError } from './connector.ts';
import { askOk } from './http/ask.ts';
import { parseExactJson } from './http/exact-json.ts';
import { findPath } from './http/json-path.ts';
import { Pagination } from './http/pagination.ts';
import { RowSet } from './http/row-set.ts';
import { defineWebConnector } from './http/web-connector.ts';
import type { WebSource } from './http/web-source.ts';
import { scalar, urlOption } from './http/yaml-query.ts';

const Params = z.record(z.string(), z.union([scalar, z.array(scalar), z.null()]), "'params' needs to be a list of names and values.");

/** Section 19. */
const JsonQuery = z.strictObject({
  url: urlOption,
  method: z
    .string('Only GET or POST methods are allowed.')
    .toUpperCase()
    .pipe(z.enum(['GET', 'POST'], 'Only GET or POST methods are allowed.'))
    .default('GET'),
  params: Params.default({}),
  headers: z.record(z.string(), scalar, "'headers' needs to be a list of names and values.").default({}),
  data: z.union([z.string(), Params]).optional(),
  json: z.unknown().optional(),
  auth: z.tuple([scalar, scalar], "'auth' needs to be a list of a user name and a password.").optional(),
  verify: z.boolean("'verify' needs to be true or false.").optional(),
  path: scalar.optional(),
  fields: z.array(scalar, "'fields' needs to be a list.").optional(),
  pagination: Pagination.optional(),
});
type JsonQuery = z.output<typeof JsonQuery>;

/** The limit for all pages of one answer together. */
const largestBytes = 64 * 1024 ** 2;
const mostPages = 10_000;

export const json = defineWebConnector({
  type: 'json',
  name: 'JSON',
  query: JsonQuery,
  async run(query, { source, env, sink, signal }) {
    const rows = new RowSet(query.fields);
    for await (const page of pages(source, env, query, signal)) {
      const found = query.path === undefined ? page : findPath(page, query.path);
      if (found === undefined) throw new QueryError(`Couldn't find path ${query.path} in response.`);
      for (const row of Array.isArray(found) ? found : [found]) rows.add(row);
    }
    await rows.writeTo(sink, signal);
  },
});

async function* pages(source: WebSource, { http }: ConnectorEnv, query: JsonQuery, signal: AbortSignal): AsyncGenerator<unknown> {
  const first = withParams(source.addressOf(query.url), query.params);
  const { headers, body } = contentOf(query);
  const request = {
    ...{ signal, method: query.method, body },
    headers: { accept: 'application/json', ...headers, ...source.authorization(query.auth), ...lowerCased(query.headers) },
    allowInvalidCertificate: source.allowsInvalidCertificate(query.verify),
  };
  let size = 0;
  const seen = new Set<string>();
  for (let url: URL | undefined = first; url; ) {
    if (seen.size >= mostPages) throw new QueryError(`There are more than ${mostPages.toLocaleString('en')} pages.`);
    seen.add(url.href);
    const response = await askOk(http, url, { ...request, maxBytes: largestBytes });
    const text = await response.text();
    size += text.length;
    if (size > largestBytes) throw new QueryError('All pages together are larger than 64 MB.');
    const page = parsed(text, query.url);
    yield page;
    const next: URL | undefined = query.pagination?.next(page, url);
    if (next && seen.has(next.href)) throw new QueryError('The next page is one that was read before; check the pagination options.');
    // Credentials are only sent to the server of the first request.
    if (next && (next.origin !== first.origin || source.addressOf(next.href).href !== next.href))
      throw new QueryError('The next page is on another server.');
    url = next;
  }
}

function parsed(text: string, url: string): unknown {
  if (text.trim() === '') throw new QueryError(`Got empty response from '${url}'.`);
  try {
    return parseExactJson(text);
  } catch (cause) {
    throw new QueryError(`The answer of '${url}' is not JSON.`, {}, cause);
  }
}

function withParams(url: URL, params: z.output<typeof Params>): URL {
  for (const [name, value] of pairsOf(params)) url.searchParams.append(name, value);
  return url;
}

const pairsOf = (params: z.output<typeof Params>): [string, string][] =>
  Object.entries(params).flatMap(([name, value]) => [value ?? []].flat().map((item): [string, string] => [name, item]));

/** Sends `json` as JSON, and `data` as a form or as plain text. */
function contentOf({ json: content, data }: JsonQuery): { headers: Record<string, string>; body?: string } {
  if (content !== undefined) return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(content) };
  if (data === undefined) return { headers: {} };
  if (typeof data === 'string') return { headers: {}, body: data };
  return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: String(new URLSearchParams(pairsOf(data))) };
}

const lowerCased = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
