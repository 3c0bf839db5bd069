/**
 * Screens 1.1: while somebody signs in again, calls that were refused wait here and are sent once more.
 * However many wait, there is one dialog.
 */
let waiting: PromiseWithResolvers<void> | null = null;
const listeners = new Set<() => void>();

export function untilSignedIn(): Promise<void> {
  if (!waiting) {
    waiting = Promise.withResolvers();
    tell();
  }
  return waiting.promise;
}

export function resumeSession(): void {
  const { resolve } = waiting ?? {};
  waiting = null;
  tell();
  resolve?.();
}

export const isSessionExpired = (): boolean => waiting !== null;

export function onSessionExpiry(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
