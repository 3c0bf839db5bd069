import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import { StateLabel } from '../ui/StateLabel.tsx';
import styles from './SourceState.module.css';

/** Only an unusual state is marked. */
export function SourceState({ source: { paused, pause_reason } }: { source: DataSource }) {
  if (!paused) return <span className={styles.active}>Active</span>;
  return (
    <span className={styles.state}>
      <StateLabel tone="warning">Paused</StateLabel>
      {pause_reason && (
        <span className={styles.reason} title={pause_reason}>
          {pause_reason}
        </span>
      )}
    </span>
  );
}
