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

/** The console came up inside that window: tell the page that waits, and go. */
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

/** Calls back when somebody may have signed in: the window says so, or this page gets the focus back. */
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

/** Goes on with the waiting calls, unless it was somebody else who signed in: their rights are not these. */
export async function tryToResume(): Promise<void> {
  const before = findSession()?.user.id;
  const session = await readSession().catch(() => null);
  if (!session) return;
  if (before !== undefined && session.user.id !== before) location.reload();
  else resumeSession();
}
