import { Button, Modal } from 'antd';
import { useEffect, useState } from 'react';
import { onPossibleSignIn, openSignInWindow, signInAddress, signInWindowName, tryToResume } from '../api/signInWindow.ts';

/** Screens 1.1: blocks the page until somebody has signed in; unsaved work stays behind it. */
export function ExpiredSessionDialog() {
  const [isBlocked, setBlocked] = useState(false);
  useEffect(() => onPossibleSignIn(tryToResume), []);
  return (
    <Modal
      open
      title="Session expired"
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      width={400}
      zIndex={2000}
      footer={
        <Button type="primary" autoFocus onClick={() => setBlocked(!openSignInWindow())}>
          Login
        </Button>
      }
    >
      <p>Your session has expired. Please login to continue.</p>
      {isBlocked && (
        <p role="alert">
          Your browser has blocked the login window.{' '}
          <a href={signInAddress} target={signInWindowName} rel="opener">
            Open the login page
          </a>
        </p>
      )}
    </Modal>
  );
}
