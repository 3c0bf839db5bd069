import { Outlet } from 'react-router';
import { useSession } from '../api/session.ts';
import { Notices } from '../ui/notify.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { ErrorPanel } from './ErrorPanel.tsx';
import styles from './Frame.module.css';
import { OfflineNotice } from './OfflineNotice.tsx';
import { useCalendarWeek } from './useCalendarWeek.ts';
import { useWindowError } from './useWindowError.ts';

/** Screens 1.1: pages for key readers have no frame, and no content where public addresses are switched off. */
export function SharedFrame() {
  const error = useWindowError();
  useCalendarWeek();
  if (useSession().client_config.disablePublicUrls) return null;
  return (
    <>
      <main className={styles.bare}>{error ? <ErrorPanel error={error} /> : <Outlet />}</main>
      <ErrorBoundary fallback={null}>
        <OfflineNotice />
        <Notices />
      </ErrorBoundary>
    </>
  );
}
