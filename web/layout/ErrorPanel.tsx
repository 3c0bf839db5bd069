import { ApiError } from '../api/ApiError.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import styles from './ErrorPanel.module.css';
import { useTitle } from './useTitle.ts';

interface ErrorPanelProps {
  error: unknown;
  /** Tries again; by default the page is reloaded. */
  onRetry?: () => unknown;
}

/** Screens 1.2: one centred panel; the navigation around it stays usable. */
export function ErrorPanel({ error, onRetry = () => location.reload() }: ErrorPanelProps) {
  const shown = error instanceof Error ? error : new Error(String(error));
  const isGone = shown instanceof ApiError && [401, 403, 404].includes(shown.status);
  return (
    <section className={styles.panel}>
      <h1 className="visually-hidden">{isGone ? 'This page cannot be shown' : 'Something went wrong'}</h1>
      <ErrorState error={shown} onRetry={onRetry} action={isGone && <a href="/">Go to the home page</a>} />
    </section>
  );
}

export function NotFoundPanel() {
  useTitle('Page not found');
  return <ErrorPanel error={new ApiError(404, '')} />;
}

export const ForbiddenPanel = () => <ErrorPanel error={new ApiError(403, '')} />;
