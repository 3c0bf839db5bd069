import { Button } from 'antd';
import { errorText } from '../errorText.ts';
import { StateLabel } from '../StateLabel.tsx';
import styles from './StaleNotice.module.css';

/** The rows below are stale: reloading them has failed. */
export function StaleNotice({ error, onRetry }: { error: Error; onRetry: () => unknown }) {
  return (
    <div className={styles.notice} role="alert">
      <StateLabel tone="warning">Not up to date</StateLabel>
      <span className={styles.text}>{errorText(error)}</span>
      <Button size="small" onClick={() => onRetry()}>
        Retry
      </Button>
    </div>
  );
}
