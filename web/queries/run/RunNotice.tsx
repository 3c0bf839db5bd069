import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { timerText } from './durationText.ts';
import styles from './RunNotice.module.css';
import type { QueryRun, RunStatus } from './useQueryRun.ts';

/** Q4 */
const statusTexts: Partial<Record<RunStatus, string>> = {
  waiting: 'Query in queue…',
  processing: 'Executing query…',
  'loading-result': 'Loading results…',
};

/** What the run is doing, how long already, and Cancel; or why it failed. */
export function RunNotice({ run, onPlace }: { run: QueryRun; onPlace?: ((line: number, column: number) => void) | undefined }) {
  if (run.isRunning) return <Running run={run} />;
  if (run.status !== 'failed' || !run.fault) return null;
  const { message, line, column } = run.fault;
  return (
    <div className={`${styles.notice} ${styles.failed}`} role="alert">
      <span className={styles.message}>
        Error running query: <strong>{message}</strong>
      </span>
      {line !== undefined && onPlace && (
        <Button size="small" type="text" onClick={() => onPlace(line, column ?? 1)}>
          Go to line {line}
        </Button>
      )}
    </div>
  );
}

function Running({ run }: { run: QueryRun }) {
  const { status, startedAt, isCancelling, jobId } = run;
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className={`${styles.notice} ${styles.running}`}>
      <span className={styles.dot} aria-hidden />
      <span className={styles.message} role="status">
        {isCancelling ? 'Cancelling…' : statusTexts[status]}
      </span>
      <span className={styles.timer}>{timerText(now - startedAt)}</span>
      {jobId && status !== 'loading-result' && (
        <Button size="small" disabled={isCancelling} onClick={() => void run.cancel()}>
          {isCancelling ? 'Cancelling…' : 'Cancel'}
        </Button>
      )}
    </div>
  );
}
