import { useEffect, useRef } from 'react';
import { Outlet, ScrollRestoration, useLocation } from 'react-router';
import { HelpPanel } from '../help/HelpPanel.tsx';
import { LeaveGuard } from '../ui/leaveGuard.ts';
import { Notices } from '../ui/notify.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { ErrorPanel } from './ErrorPanel.tsx';
import { ExpiredSession } from './ExpiredSession.tsx';
import styles from './Frame.module.css';
import { OfflineNotice } from './OfflineNotice.tsx';
import { usePages } from './Pages.tsx';
import { findPage } from './pageRoute.ts';
import { TopBar } from './TopBar.tsx';
import { useAppLinks } from './useAppLinks.ts';
import { useCalendarWeek } from './useCalendarWeek.ts';
import { useFullscreen } from './useFullscreen.ts';
import { usePageKey } from './usePageKey.ts';
import { useWindowError } from './useWindowError.ts';

/** The frame around every page. */
export function Frame() {
  const pageKey = usePageKey();
  const error = useWindowError();
  const page = findPage(usePages(), useLocation().pathname);
  const isBare = useFullscreen().isFullscreen && page?.canBeFullscreen === true;
  const main = useRef<HTMLElement>(null);
  useAppLinks();
  useCalendarWeek();

  // The followed link may have disappeared with its page: the keyboard focus continues at the content, not at the top.
  const firstKey = useRef(pageKey);
  useEffect(() => {
    if (pageKey !== firstKey.current && document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [pageKey]);

  return (
    <>
      <button type="button" className={`visually-hidden ${styles.skip}`} onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <p role="status" className="visually-hidden">
        {page?.title}
      </p>
      {!isBare && <TopBar />}
      <main ref={main} tabIndex={-1} className={`${styles.main} ${isBare ? styles.bare : ''}`}>
        {error ? <ErrorPanel error={error} /> : <Outlet key={pageKey} />}
      </main>
      <ErrorBoundary fallback={null}>
        <HelpPanel />
      </ErrorBoundary>
      <ErrorBoundary fallback={null}>
        <ExpiredSession />
        <OfflineNotice />
        <Notices />
        <LeaveGuard />
      </ErrorBoundary>
      {/* Every page that is loaded anew has the key `default`, but not the place where another one was left. */}
      <ScrollRestoration getKey={({ key, pathname }) => (key === 'default' ? pathname : key)} />
    </>
  );
}
