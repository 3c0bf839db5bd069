import { lazy, Suspense, useSyncExternalStore } from 'react';
import { isSessionExpired, onSessionExpiry } from '../api/expiredSession.ts';

const ExpiredSessionDialog = lazy(() => import('./ExpiredSessionDialog.tsx').then((m) => ({ default: m.ExpiredSessionDialog })));

/** Watches for refused calls; the dialog is loaded when the first one comes. */
export function ExpiredSession() {
  const isExpired = useSyncExternalStore(onSessionExpiry, isSessionExpired);
  if (!isExpired) return null;
  return (
    <Suspense>
      <ExpiredSessionDialog />
    </Suspense>
  );
}
