import WarningOutlined from '@ant-design/icons/WarningOutlined';
import { Button } from 'antd';
import { ApiError } from '../api/ApiError.ts';
import styles from './ErrorPanel.module.css';
import { errorMessage } from './errorMessage.ts';

interface ErrorPanelProps {
  error: unknown;
  /** Asks again; without it a faulty page can be loaded anew. */
  onRetry?: () => void;
}

/** Screens 1.2: one centred panel; the navigation around it stays usable. */
export function ErrorPanel({ error, onRetry }: ErrorPanelProps) {
  const isOurs = error instanceof ApiError;
  const isFinal = isOurs && error.status >= 400 && error.status < 500;
  const details = !isOurs && error instanceof Error ? `${error.name}: ${error.message}` : null;
  return (
    <section className={styles.panel} role="alert">
      <WarningOutlined className={styles.icon} aria-hidden />
      <p>{errorMessage(error)}</p>
      {!isFinal && <Button onClick={onRetry ?? (() => location.reload())}>{onRetry ? 'Try again' : 'Refresh page'}</Button>}
      {details && (
        <details>
          <summary>Details</summary>
          <code>{details}</code>
        </details>
      )}
    </section>
  );
}

export const NotFoundPanel = () => <ErrorPanel error={new ApiError(404, 'Not found')} />;
export const ForbiddenPanel = () => <ErrorPanel error={new ApiError(403, 'Forbidden')} />;
