import WarningOutlined from '@ant-design/icons/WarningOutlined';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { ApiError } from '../api/ApiError.ts';
import styles from './ErrorState.module.css';
import { errorText, isWorthAnotherTry } from './errorText.ts';

interface ErrorStateProps {
  error: Error;
  onRetry?: () => unknown;
  /** An alternative action, such as a link back to the list. */
  action?: ReactNode;
}

/** An error, its remedy, and folded details. */
export function ErrorState({ error, onRetry, action }: ErrorStateProps) {
  return (
    <div className={styles.state} role="alert">
      <WarningOutlined className={styles.icon ?? ''} aria-hidden />
      <p>{errorText(error)}</p>
      {!(error instanceof ApiError) && error.message && (
        <details className={styles.details}>
          <summary>Details</summary>
          <pre>{error.message}</pre>
        </details>
      )}
      <div className={styles.actions}>
        {onRetry && isWorthAnotherTry(error) && <Button onClick={() => onRetry()}>Retry</Button>}
        {action}
      </div>
    </div>
  );
}
