import type { Method } from '@telltale/domain/endpoint.ts';

/** The action of a call, derived from its path: `DELETE /api/queries/:id` deletes a query. */
export interface CallWords {
  action: string;
  /** The word in the path, such as `queries`. */
  kind: string;
  object_type: string;
  object_id: string | null;
}

const singular: Record<string, string> = {
  queries: 'query',
  'downlink-commands': 'command',
  settings: 'settings',
  acl: 'access',
  acks: 'ack',
};
const singularOf = (word: string) => singular[word] ?? word.replace(/s$/, '');

/** A POST to one of these paths adds an element to it. */
const collections = new Set(['members', 'data_sources', 'channels', 'devices', 'subscriptions', 'commands', 'schedules', 'acl']);

/** Paths that change nothing worth auditing: runs, searches, tests, previews, and usage events, which have a log of their own. */
const unchanging = [
  /^\/api\/events$/,
  /^\/api\/query_results/,
  /^\/api\/queries\/:id\/(results|refresh)/,
  /^\/api\/queries\/format$/,
  /\/(test|preview|replay|eval|airtime)$/,
  /^\/api\/jobs\/:id$/,
  /^\/api\/v1\//,
  /\/webhook/,
  /^\/(login|setup|forgot|invite|reset|verify|ldap|saml|oidc|oauth)\b/,
];

export const isChange = (method: Method | string, path: string): boolean =>
  method !== 'GET' && method !== 'HEAD' && path.startsWith('/api/') && !unchanging.some((pattern) => pattern.test(path));

/** Only these calls have a dry run; a `dry_run` in the body of any other keeps nothing out of the log. */
const withDryRun = new Set(['/api/channels/:id/import_devices']);

export const isDryRun = (path: string, body: unknown): boolean =>
  withDryRun.has(path) && body !== null && typeof body === 'object' && 'dry_run' in body && body.dry_run === true;

/**
 * Derives the action from a path: `/api/x` creates an object, `/api/x/:id` edits it, `/api/x/:id/word` does what the word says, and
 * DELETE on that path reverts it. The object id joins all ids of the path with slashes.
 */
export function callWords(method: string, path: string, params: Record<string, unknown>): CallWords {
  const parts = path.split('/').slice(2);
  const kind = parts[0] ?? '';
  const ids = parts.filter((part) => part.startsWith(':')).map((part) => String(params[part.slice(1)] ?? ''));
  const isNamed = parts.length > 1;
  const last = parts.at(-1) ?? '';
  const words = parts.slice(1).filter((part) => !part.startsWith(':'));
  const verb = words.map((word) => (word === words.at(-1) && last.startsWith(':') ? singularOf(word) : word)).join(' ');
  const plain = words.length === 0;
  const isAdded = method === 'POST' && collections.has(last);
  const action = plain
    ? method === 'DELETE'
      ? 'delete'
      : isNamed
        ? 'edit'
        : 'create'
    : method === 'DELETE'
      ? `remove ${verb}`
      : isAdded
        ? `add ${singularOf(last)}`
        : verb;
  return { action, kind, object_type: singularOf(kind), object_id: ids.length > 0 ? ids.join('/') : null };
}
