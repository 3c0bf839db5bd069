import { hasPermission, type Permission } from '@telltale/domain/access/permissions.ts';
import { type Session as AnySession, type SessionUser, sessionApi } from '@telltale/domain/session/contract.ts';
import { useSyncExternalStore } from 'react';
import { ApiError, call, setApiKey } from './call.ts';

/** The session of a user; key readers have no user (domain/session). */
export type Session = Omit<AnySession, 'user'> & { user: SessionUser };

let session: Session | null = null;
let loading: Promise<Session> | null = null;
const listeners = new Set<() => void>();

/** Loaded once and kept in memory (screens 1.1). A visitor who is not signed in goes to the login page and comes back. */
export function loadSession(): Promise<Session> {
  loading ??= readSession().catch((error: unknown) => {
    loading = null;
    // Only a refusal leads to the sign-in: with a failing server the sign-in would lead back here for ever.
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) return goToLogin();
    throw error;
  });
  return loading;
}

/** Reads the session again, for example after a new sign-in. */
export async function readSession(): Promise<Session> {
  const reply = await call(sessionApi.get, {}, { failWhenSignedOut: true });
  if (!('id' in reply.user)) throw new ApiError(401, 'Please login.');
  setSession({ ...reply, user: reply.user });
  return { ...reply, user: reply.user };
}

/** Screens 1.1: key readers have no account and no permissions; only the configuration is loaded. */
export async function loadSharedSession(key: string): Promise<Session> {
  setApiKey(key);
  const config = await call(sessionApi.config, {});
  const user: SessionUser = { id: 0, name: '', email: '', profile_image_url: '', groups: [], permissions: [] };
  const shared: Session = { ...config, user, messages: [] };
  setSession(shared);
  return shared;
}

/** Shows changes that the server has confirmed at once: a new name, a new date format. */
export function setSession(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

export const findSession = (): Session | null => session;

/** The signed-in user and the configuration; only below the frame, which waits for them. */
export function useSession(): Session {
  const current = useSyncExternalStore(onSessionChange, findSession);
  if (!current) throw new Error('useSession() was called before the session was loaded.');
  return current;
}

export function useCan(): (permission: Permission) => boolean {
  const { permissions } = useSession().user;
  return (permission) => hasPermission(permissions, permission);
}

/** Ends the session; an external provider may need a logout of its own (Q4). */
export async function logout(): Promise<void> {
  const { op_logout_uri } = await call(sessionApi.logout, {}, { failWhenSignedOut: true }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) return { op_logout_uri: undefined };
    throw error;
  });
  location.assign(op_logout_uri || '/login');
}

function goToLogin(): Promise<never> {
  const here = location.pathname + location.search + location.hash;
  location.replace(`/login?next=${encodeURIComponent(here)}`);
  return new Promise(() => {});
}

function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
