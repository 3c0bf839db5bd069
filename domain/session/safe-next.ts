/** The target of a sign-in when the requested address cannot be trusted. */
export const fallbackNext = './';

/**
 * server-behaviour 3.2 and 27.7: only on-site targets. An absolute address is reduced to its path; whatever a browser
 * could read as another host (backslashes, doubled slashes, control characters, odd schemes) becomes the fallback.
 */
export function safeNext(next: string | undefined): string {
  if (!next || next.length > 4000) return fallbackNext;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop these from addresses, so they can hide a host
  if (/[\u0000-\u0020\u007f\\]/.test(next)) return fallbackNext;
  if (/^\/{3,}/.test(next)) return fallbackNext;
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(next) ?? [];
  if (scheme && !/^https?$/i.test(scheme)) return fallbackNext;
  const rest = scheme ? next.slice(scheme.length + 1) : next;
  const [, host, path] = /^\/\/([^/?#]*)(.*)$/s.exec(rest) ?? [];
  if (scheme && !host) return fallbackNext;
  return isOnSitePath(path ?? rest) ? (path ?? rest) : fallbackNext;
}

function isOnSitePath(text: string): boolean {
  const [path = ''] = text.split(/[?#]/, 1);
  if (text === '' || path.includes('//')) return false;
  // A relative path must not look like a scheme.
  return path.startsWith('/') || !path.split('/', 1)[0]?.includes(':');
}
