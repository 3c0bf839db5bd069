import type { UsageEvent } from '@telltale/domain/events/contract.ts';
import type { ReaderCtx } from '../platform/context.ts';
import { forbidden, tooMany } from '../platform/errors.ts';

/** A page sends a few events a minute; these limits only stop floods. */
const windowMs = 10 * 60_000;
const mostEvents = 2000;
const mostBytes = 512 * 1024;
const mostReporters = 10_000;

interface Spent {
  events: number;
  bytes: number;
  endsAt: number;
}

/** What each reporter of an installation has spent. */
const spentOf = new WeakMap<ReaderCtx['config'], Map<string, Spent>>();

/** Limits the events of one user, key or token in ten minutes: a public token once wrote 41 MB of events in 11 s. */
export function requireUsageRoom({ identity, now, config }: ReaderCtx, events: readonly UsageEvent[]): void {
  const reporter = identity.kind === 'user' ? `user ${identity.id}` : `${identity.kind} ${identity.object_id}`;
  const spent = spentOf.get(config) ?? new Map<string, Spent>();
  spentOf.set(config, spent);
  const known = spent.get(reporter);
  const current = known && known.endsAt > now.getTime() ? known : { events: 0, bytes: 0, endsAt: now.getTime() + windowMs };
  current.events += events.length;
  current.bytes += JSON.stringify(events).length;
  if (spent.size >= mostReporters) spent.clear();
  spent.set(reporter, current);
  if (current.events > mostEvents || current.bytes > mostBytes) throw tooMany('Too many usage events. Please try again later.');
}

/** Objects that a dashboard shows; events about them are not checked against the dashboard. */
const shownOnDashboards = new Set(['widget', 'query', 'visualization']);

/** Readers by key may only report views of the object of their key, so that they cannot forge the actions of users. */
export function requireOwnViews({ identity }: ReaderCtx, events: readonly UsageEvent[]): void {
  if (identity.kind === 'user') return;
  const own = identity.kind === 'query_key' ? 'query' : 'dashboard';
  const isOwn = ({ action, object_type, object_id }: UsageEvent) =>
    action === 'view' &&
    (object_type === own ? String(object_id) === String(identity.object_id) : own === 'dashboard' && shownOnDashboards.has(object_type));
  if (!events.every(isOwn)) throw forbidden('A key reports only views of what it opens.');
}
