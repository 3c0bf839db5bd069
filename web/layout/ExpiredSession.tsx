import { Button } from 'antd';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { isSessionExpired, onSessionExpiry } from '../api/expiredSession.ts';
import { onPossibleSignIn, openSignInWindow, signInAddress, signInWindowName, tryToResume } from '../api/signInWindow.ts';
import styles from './ExpiredSession.module.css';

/** Screens 1.1: blocks the page until the user has signed in; unsaved work stays behind it. */
export function ExpiredSession() {
  const isExpired = useSyncExternalStore(onSessionExpiry, isSessionExpired);
  return isExpired ? <ExpiredSessionDialog /> : null;
}

/** The browser's own modal: above every other dialog, and without further code to load. */
function ExpiredSessionDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isBlocked, setBlocked] = useState(false);
  const show = () => dialog.current?.showModal();

  useEffect(show, []);
  useEffect(() => onPossibleSignIn(tryToResume), []);
  return (
    // Escape may close it once in spite of everything; then it is opened again.
    <dialog ref={dialog} className={styles.dialog} aria-labelledby="session-expired" onCancel={(e) => e.preventDefault()} onClose={show}>
      <h2 id="session-expired">Session expired</h2>
      <p>Your session has expired. Please login to continue.</p>
      {isBlocked && (
        <p role="alert">
          Your browser has blocked the login window.{' '}
          <a href={signInAddress} target={signInWindowName} rel="opener">
            Open the login page
          </a>
        </p>
      )}
      <Button type="primary" autoFocus onClick={() => setBlocked(!openSignInWindow())}>
        Login
      </Button>
    </dialog>
  );
}
