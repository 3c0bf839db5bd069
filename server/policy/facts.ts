import type { AccessType } from '@telltale/domain/access/grants.ts';
import type { SourceGroup } from '@telltale/domain/access/source-access.ts';

/** Facts about objects that rules depend on. Modules load them with their own rows, so that a check needs no query of its own. */

/** The type of the built-in source *IoT data*. */
export const builtInType = 'telltale';

export interface SourceFacts {
  type: string;
  groups: readonly SourceGroup[];
}

interface GivenAccess {
  grantee: number;
  access_type: AccessType;
}

export interface Owned {
  user_id: number | null;
}

export interface Granted {
  grants: readonly GivenAccess[];
}

/** An object on a source, or on none when the source was deleted. */
export interface OnSource {
  source: SourceFacts | null;
}

export interface QueryFacts extends Owned, OnSource {
  id: number;
  /** The dashboards that show it; only tokens need them. */
  stands_on?: readonly number[];
}

export interface DashboardFacts extends Owned, Granted {
  id: number;
  is_draft: boolean;
}

/** A channel, or an object that belongs to one. */
export interface InChannel {
  channel_pk: number;
}

export interface ResultFacts extends OnSource {
  /** The channels that its rows were read from; null is all, empty where it was not read from IoT data. */
  channel_pks: readonly number[] | null;
  /** The sources that its rows were joined from; undefined stands for a deleted source. */
  joined: readonly (SourceFacts | undefined)[];
  /** The users who ran it. */
  user_ids: readonly number[];
  /** The saved queries that it is or was a result of. */
  queries: readonly QueryFacts[];
  /** Whether it is an answer to a request that the holder of a key or token may make. */
  answers_holder?: boolean;
}

export interface AlertFacts extends Owned {
  /** Null for alerts on devices and on their silence. */
  query: QueryFacts | null;
  /** The channel of an alert on devices. */
  channel_pk: number | null;
}

/** An alert with the facts about the result that its values come from; alerts on devices have none. */
export interface WatchedFacts extends AlertFacts, Pick<ResultFacts, 'joined' | 'channel_pks'> {}
