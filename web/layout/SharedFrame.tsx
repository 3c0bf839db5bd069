import { Outlet } from 'react-router';
import { useSession } from '../api/session.ts';
import { Notices } from '../ui/notify.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { ErrorPanel } from './ErrorPanel.tsx';
import { OfflineNotice } from './OfflineNotice.tsx';
import { useWindowError } from './useWindowError.ts';

/** Screens 1.1: around the pages for readers by key there is nothing, and nothing in it where public addresses are switched off. */
export function SharedFrame() {
  const error = useWindowError();
  if (useSession().client_config.disablePublicUrls) return null;
  return (
    <>
      <main>{error ? <ErrorPanel error={error} /> : <Outlet />}</main>
      <ErrorBoundary fallback={null}>
        <OfflineNotice />
        <Notices />
      </ErrorBoundary>
    </>
  );
}
