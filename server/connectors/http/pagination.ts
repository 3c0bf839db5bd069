import { z } from 'zod';
import { QueryError } from '../connector.ts';
import { findPath } from './json-path.ts';

type Next = (page: unknown, url: URL) => URL | undefined;

/** The answer contains the address of the next page. */
const ByUrl = z
  .strictObject({ type: z.literal('url'), path: z.string("'pagination.path' should be a string.").default('_links.next.href') })
  .transform(({ path }): { next: Next } => ({
    next: (page, url) => {
      const found = tokenAt(page, path);
      const next = found === undefined ? null : URL.parse(found, url);
      if (found !== undefined && !next) throw new QueryError(`'${path}' holds no address of a next page.`);
      return next ?? undefined;
    },
  }));

const pair = "'pagination.fields' should be a list of 2 field names.";

/** The answer contains a token, which the next request sends as a parameter. */
const ByToken = z
  .strictObject({
    type: z.literal('token'),
    fields: z.tuple([z.string(pair), z.string(pair)], pair).default(['next_page_token', 'page_token']),
  })
  .transform(({ fields: [path, parameter] }): { next: Next } => ({
    next: (page, url) => {
      const token = tokenAt(page, path);
      if (token === undefined) return undefined;
      if (url.searchParams.get(parameter) === token) throw new QueryError(`${path} did not change; possible misconfiguration`);
      const next = new URL(url);
      next.searchParams.set(parameter, token);
      return next;
    },
  }));

const message = "'pagination' should have the type 'url' or 'token'.";

/** Section 19: finds the next page; undefined after the last one. */
export const Pagination = z.discriminatedUnion('type', [ByUrl, ByToken], message);

function tokenAt(page: unknown, path: string): string | undefined {
  const found = findPath(page, path);
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'bigint' ? String(found) || undefined : undefined;
}
