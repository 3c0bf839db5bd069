import { QueryError } from '../connector.ts';

/**
 * Resolves the address in a query, always below the base if there is one. Parsed origins and paths are compared, never texts, so
 * `.evil.test/`, `@evil.test/`, `//evil.test/` and `../` are refused (CVE-2026-76083). `users`, `/users` and `/v1/users` all resolve below
 * `https://host/v1`.
 */
export function addressBelow(base: string | undefined, text: string): URL {
  if (base === undefined) {
    const url = URL.parse(text);
    if (!url) throw new QueryError(`'${text.slice(0, 100)}' is not an address.`);
    return url;
  }
  const root = URL.parse(base);
  if (!root) throw new QueryError('The base URL of this data source is not an address.');
  if (root.username || root.password) throw new QueryError('Leave the user name and password out of the base URL.');
  const folder = new URL(root.pathname.replace(/\/*$/, '/'), root);
  const below = absolute.test(text) ? null : URL.parse(`./${text.replace(/^\//, '')}`, folder);
  const found = [URL.parse(text, root), below].find((url) => url && isBelow(url, folder));
  if (!found) throw new QueryError(`Accepting only relative URLs to '${base}'`);
  return found;
}

/** Appends an API path to the typed address; an invalid address is reported as typed. */
export function apiAddress(typed: string, path: string): string {
  if (!URL.parse(typed)) throw new QueryError(`'${typed.slice(0, 100)}' is not an address.`);
  return `${typed.replace(/\/+$/, '')}/${path}`;
}

/** A scheme, or a host after two slashes of either kind. */
const absolute = /^\s*(?:[a-z][a-z\d+.-]*:|[/\\]{2})/i;

function isBelow(url: URL, folder: URL): boolean {
  if (url.origin !== folder.origin || url.username !== '' || url.password !== '') return false;
  if (`${url.pathname}/` === folder.pathname) return true;
  const rest = url.pathname.slice(folder.pathname.length);
  // The server may decode these as a slash after this check.
  return url.pathname.startsWith(folder.pathname) && (folder.pathname === '/' || !/%2f|%5c|%25|;/i.test(rest));
}
