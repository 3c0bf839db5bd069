import { z } from 'zod';
import type { Permission } from './access/permissions.ts';

/**
 * An endpoint is one line of the wire contract: its address, its permission, its input and its output. The server registers routes from it,
 * server and browser take their types from it, and OpenAPI is printed from it.
 */
export type Method = 'GET' | 'POST' | 'DELETE';

/** The required permission. There is no default, so every endpoint states one. A list means any one of them. */
export type Needs = 'anyone' | 'signed_in' | Permission | readonly Permission[];

/** Keys that do not belong to a user: they read their own object and nothing else (server-behaviour 2). */
export type KeyReader = 'query_key' | 'dashboard_token';

type Shape = z.ZodType;
type None = undefined;
type Readers = readonly KeyReader[] | undefined;

export interface EndpointSpec<P, Q, B, R, N extends Needs, K extends Readers> {
  needs: N;
  /** Keys that may call it beside users; none unless stated. */
  readers?: K;
  /** The refusal for holders of other keys, where a sentence helps (server-behaviour 2). */
  keyRefusal?: string;
  params?: P;
  query?: Q;
  body?: B;
  /** A body that is no JSON object counts as an empty one (server-behaviour 8.1). */
  lenientBody?: boolean;
  reply: R;
  /** Media types that it also answers, by the extension of the address. */
  files?: readonly string[];
  /** One sentence for the API page. */
  summary: string;
  /** Status of a success, 200 unless stated. */
  status?: 200 | 204;
  /** Pages of listed other sites may read it (server-behaviour 1.6). */
  cors?: boolean;
  /** Answer to a caller who is not signed in, 404 unless stated (server-behaviour 1.1). */
  signedOutStatus?: 401 | 404;
}

export interface Endpoint<
  P extends Shape | None = Shape | None,
  Q extends Shape | None = Shape | None,
  B extends Shape | None = Shape | None,
  R extends Shape = Shape,
  N extends Needs = Needs,
  K extends Readers = Readers,
> extends EndpointSpec<P, Q, B, R, N, K> {
  method: Method;
  path: string;
}

export function endpoint<
  R extends Shape,
  const N extends Needs,
  P extends Shape | None = None,
  Q extends Shape | None = None,
  B extends Shape | None = None,
  const K extends Readers = undefined,
>(method: Method, path: string, spec: EndpointSpec<P, Q, B, R, N, K>): Endpoint<P, Q, B, R, N, K> {
  return { method, path, ...spec };
}

/** Omits the parts that an endpoint does not have. */
type Has<S> = [Exclude<S, undefined>] extends [never] ? false : true;
type Sent<S> = Has<S> extends true ? z.input<Extract<S, Shape>> : undefined;
type Parsed<S> = Has<S> extends true ? z.output<Extract<S, Shape>> : undefined;
type Part<K extends string, V> = V extends undefined ? { [k in K]?: undefined } : { [k in K]: V };
type OptionalPart<K extends string, V> = V extends undefined ? { [k in K]?: undefined } : { [k in K]?: V };

/** The input of a call: path parameters and body as stated, the query string always optional. */
export type CallInput<E extends Endpoint> = Part<'params', Sent<E['params']>> &
  OptionalPart<'query', Sent<E['query']>> &
  Part<'body', Sent<E['body']>>;

/** The parsed input of a handler. */
export type HandlerInput<E extends Endpoint> = {
  params: Parsed<E['params']>;
  query: Parsed<E['query']>;
  body: Parsed<E['body']>;
};

export type ReplyOf<E extends Endpoint> = z.output<E['reply']>;

/** The address with its `:names` filled in and the query string appended; a list repeats its key. */
export function addressOf(path: string, params: object | undefined, query: object | undefined): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown> | undefined)?.[name] ?? '')),
  );
  const pairs: string[] = [];
  for (const [key, value] of Object.entries(query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null && item !== '') pairs.push(`${encodeURIComponent(key)}=${encodeURIComponent(String(item))}`);
    }
  }
  return pairs.length > 0 ? `${filled}?${pairs.join('&')}` : filled;
}

/** A path id: a positive 32-bit integer; anything else is "not found". */
export const Id = z
  .union([z.number(), z.string().regex(/^\d{1,10}$/)])
  .transform(Number)
  .pipe(z.int().min(1).max(2_147_483_647));
export const ById = z.object({ id: Id });

/** Success without data is the JSON value null (server-behaviour 1.1). */
export const Empty = z.null();

/** Times are sent as ISO text, never as Date. */
export const Time = z.iso.datetime({ offset: true });
