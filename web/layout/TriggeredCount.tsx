import { alertsApi } from '@telltale/domain/alerts/contract.ts';
import { useRead } from '../api/query.ts';
import { useCan } from '../api/session.ts';
import styles from './TriggeredCount.module.css';

const againMs = 30_000;

/** The number of triggered alerts; 0 for users who may not see alerts. */
export function useTriggeredCount(): number {
  const isAllowed = useCan()('list_alerts');
  return useRead(alertsApi.summary, {}, { enabled: isAllowed, refetchInterval: againMs }).data?.triggered ?? 0;
}

/** Describes the links to the alerts, whose name is "Alerts" alone (Q2); nothing while no alert is triggered. */
export function useTriggeredText(): string | undefined {
  const count = useTriggeredCount();
  return count === 0 ? undefined : `${count} triggered`;
}

/** The number beside "Alerts" in the navigation, unless it is 0; the link itself says it by `useTriggeredText`. */
export function TriggeredCount() {
  const count = useTriggeredCount();
  if (count === 0) return null;
  return (
    <span className={styles.count} aria-hidden>
      {count > 99 ? '99+' : count}
    </span>
  );
}
