import { Suspense, useLayoutEffect } from 'react';
import { useLocation } from 'react-router';
import { useCan } from '../api/session.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { ForbiddenPanel } from './ErrorPanel.tsx';
import { PageSkeleton } from './PageSkeleton.tsx';
import type { PageRoute } from './pageRoute.ts';

/** A registered page: its title, its permission, its skeleton while the code comes, its error panel. */
export function PageView({ page: { Page, title, needs } }: { page: PageRoute }) {
  const can = useCan();
  const { key } = useLocation();
  // Before the effects of the page, which may know a better title (useTitle).
  useLayoutEffect(() => {
    document.title = title;
  }, [title]);

  if (needs && !can(needs)) return <ForbiddenPanel />;
  return (
    <ErrorBoundary resetOn={key}>
      <Suspense fallback={<PageSkeleton />}>
        <Page />
      </Suspense>
    </ErrorBoundary>
  );
}
