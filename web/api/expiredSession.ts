/** Screens 1.1: during a renewed sign-in refused calls wait here and are sent again afterwards. However many wait, there is one dialog. */
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
