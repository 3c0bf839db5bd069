import { useEffect, useState } from 'react';
import { sendWaitingEvents } from '../api/events.ts';
import { logout } from '../api/session.ts';
import { ErrorPanel } from '../layout/ErrorPanel.tsx';
import styles from './LogoutPage.module.css';

/** Q4: opening the page ends the session; a spinner shows meanwhile. */
export function LogoutPage() {
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    sendWaitingEvents().then(logout).catch(setError);
  }, []);
  if (error) return <ErrorPanel error={error} />;
  return (
    <p className={styles.leaving} role="status">
      <span className={styles.thread} aria-hidden />
      Logging out…
    </p>
  );
}
