import type { KeyReader } from '../endpoint.ts';

/** The calling user. Permissions are read for each request, so a change of role acts at once (design 8). */
export interface Person {
  kind: 'user';
  id: number;
  org_id: number;
  name: string;
  email: string;
  group_ids: number[];
  permissions: string[];
  /** The channels that the user sees by their groups (design 8.1); null is all channels. */
  channel_pks: number[] | null;
  /** The way of authentication: only a cookie needs the CSRF header. */
  via: 'session' | 'key' | 'token';
  session_id: number | null;
}

/** The holder of a query's key or of a shared dashboard's token: it reads that object, nothing else. */
export interface KeyHolder {
  kind: KeyReader;
  org_id: number;
  object_id: number;
  /**
   * The owner of the query and the holder of the key, or the user who shared the dashboard: it opens nothing that one of them may not see
   * now.
   */
  acts_for: readonly Person[];
  name: string;
  permissions: string[];
  /** The key that the request carried: the session answers it back to its sender (server-behaviour 6). */
  key?: string;
}

export interface Nobody {
  kind: 'nobody';
  permissions: string[];
}

export type Identity = Person | KeyHolder | Nobody;

export const nobody: Nobody = { kind: 'nobody', permissions: [] };
