import CloseCircleFilled from '@ant-design/icons/CloseCircleFilled';
import { Button } from 'antd';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { timerText } from './durationText.ts';
import styles from './RunNotice.module.css';
import type { QueryRun, RunFault, RunStatus } from './useQueryRun.ts';

/** Q4 */
const statusTexts: Partial<Record<RunStatus, string>> = {
  waiting: 'Query in queue…',
  processing: 'Executing query…',
  'loading-result': 'Loading results…',
};

interface RunNoticeProps {
  run: QueryRun;
  /** The button that starts runs: it gets the focus after Cancel was pressed by keyboard. */
  starter: RefObject<HTMLElement | null>;
  onPlace?: ((line: number, column: number) => void) | undefined;
}

/** The state of the run, its duration and Cancel, above the result; or the reason of its failure. */
export function RunNotice({ run, starter, onPlace }: RunNoticeProps) {
  if (run.isRunning) return <Running run={run} starter={starter} />;
  if (run.status !== 'failed' || !run.fault) return null;
  return <Failed key={run.fault.message} fault={run.fault} onPlace={onPlace} />;
}

function Failed({ fault: { message, line, column }, onPlace }: { fault: RunFault } & Pick<RunNoticeProps, 'onPlace'>) {
  const text = useRef<HTMLSpanElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    const element = text.current;
    if (!element || isOpen) return;
    const measure = () => setCut(element.scrollHeight > element.clientHeight + 1);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [isOpen]);
  return (
    <div className={`${styles.notice} ${styles.failed}`} role="alert">
      <CloseCircleFilled className={styles.icon} aria-hidden />
      <span ref={text} className={`${styles.message} ${isOpen ? '' : styles.cut}`}>
        Error running query: <strong>{message}</strong>
      </span>
      <span className={styles.actions}>
        {(isCut || isOpen) && (
          <Button size="small" type="text" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Show less' : 'Show all'}
          </Button>
        )}
        {line !== undefined && onPlace && (
          <Button size="small" type="text" onClick={() => onPlace(line, column ?? 1)}>
            Go to line {line}
          </Button>
        )}
      </span>
    </div>
  );
}

function Running({ run, starter }: Pick<RunNoticeProps, 'run' | 'starter'>) {
  const { status, startedAt, isCancelling, jobId } = run;
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className={styles.over}>
      <div className={styles.running}>
        <span className={styles.dot} aria-hidden />
        <span role="status">{isCancelling ? 'Cancelling…' : statusTexts[status]}</span>
        <span className={styles.timer}>{timerText(now - startedAt)}</span>
        {jobId && status !== 'loading-result' && <Cancel run={run} starter={starter} />}
      </div>
    </div>
  );
}

/** The button vanishes when the run ends, and must hand over the focus. */
function Cancel({ run: { isCancelling, cancel }, starter }: Pick<RunNoticeProps, 'run' | 'starter'>) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const own = button.current;
    return () => {
      // Runs after this commit, in which the other button is rendered again.
      if (own && document.activeElement === own) queueMicrotask(() => starter.current?.focus());
    };
  }, [starter]);
  return (
    <Button ref={button} size="small" aria-disabled={isCancelling} onClick={() => !isCancelling && void cancel()}>
      {isCancelling ? 'Cancelling…' : 'Cancel'}
    </Button>
  );
}
