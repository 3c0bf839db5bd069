import type { KeyReader } from '../endpoint.ts';

/** Who is asking. Permissions are read for each request, so a change of role acts at once (design 8). */
export interface Person {
  kind: 'user';
  id: number;
  org_id: number;
  name: string;
  email: string;
  group_ids: number[];
  permissions: string[];
  /** How they came in: only a cookie needs the CSRF header. */
  via: 'session' | 'key' | 'token';
  session_id: number | null;
}

/** Whoever holds the key of a query or the token of a shared dashboard: reads that, nothing else. */
export interface KeyHolder {
  kind: KeyReader;
  org_id: number;
  object_id: number;
  /** Who shared the dashboard: its token opens nothing that they may not see themselves. */
  in_name_of?: number;
  name: string;
  permissions: string[];
}

export interface Nobody {
  kind: 'nobody';
  permissions: string[];
}

export type Identity = Person | KeyHolder | Nobody;

export const nobody: Nobody = { kind: 'nobody', permissions: [] };
