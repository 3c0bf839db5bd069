import { resumeSession } from './expiredSession.ts';
import { findSession, readSession } from './session.ts';

/** Screens 1.1: signing in again happens in a window of its own, so that unsaved work here is kept. */
export const signInWindowName = 'telltale-sign-in';
export const signInAddress = '/login?next=%2F';
const signedIn = 'telltale:signed-in';

/** False where the browser blocks it; then a link with the same target can be offered. */
export function openSignInWindow(): boolean {
  const left = Math.max(0, screenX + (outerWidth - 640) / 2);
  const top = Math.max(0, screenY + (outerHeight - 640) / 2);
  return open(signInAddress, signInWindowName, `popup,width=640,height=640,left=${left},top=${top}`) !== null;
}

/** The console was opened inside that window: it notifies the waiting page, and closes. */
export function finishSignInWindow(): boolean {
  if (window.name !== signInWindowName || !window.opener) return false;
  try {
    window.opener.postMessage(signedIn, location.origin);
  } catch {
    return false;
  }
  window.close();
  return true;
}

/** Calls back when the user may have signed in: the window reports it, or this page gets the focus back. */
export function onPossibleSignIn(listener: () => void): () => void {
  const onMessage = (event: MessageEvent) => {
    if (event.origin === location.origin && event.data === signedIn) listener();
  };
  addEventListener('message', onMessage);
  addEventListener('focus', listener);
  return () => {
    removeEventListener('message', onMessage);
    removeEventListener('focus', listener);
  };
}

/** Repeats the waiting calls, unless another user has signed in: their rights may differ. */
export async function tryToResume(): Promise<void> {
  const before = findSession()?.user.id;
  const session = await readSession().catch(() => null);
  if (!session) return;
  if (before !== undefined && session.user.id !== before) location.reload();
  else resumeSession();
}
