import { Suspense, useLayoutEffect } from 'react';
import { useLocation, useParams } from 'react-router';
import { useCan } from '../api/session.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { ForbiddenPanel, NotFoundPanel } from './ErrorPanel.tsx';
import { PageSkeleton } from './PageSkeleton.tsx';
import { canExist, type PageRoute } from './pageRoute.ts';

/** A registered page: its title, its permission, its skeleton while the code comes, its error panel. */
export function PageView({ page: { Page, title, needs, shape } }: { page: PageRoute }) {
  const can = useCan();
  const { key } = useLocation();
  const params = useParams();
  // Runs before the effects of the page, which may set a better title (useTitle).
  useLayoutEffect(() => {
    document.title = title;
  }, [title]);

  if (needs && !can(needs)) return <ForbiddenPanel />;
  if (!canExist(params)) return <NotFoundPanel />;
  return (
    <ErrorBoundary resetOn={key}>
      <Suspense fallback={<PageSkeleton {...(shape && { shape })} />}>
        <Page />
      </Suspense>
    </ErrorBoundary>
  );
}
