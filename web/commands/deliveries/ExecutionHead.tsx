import { type Delivery, deliveryStates, type Execution } from '@telltale/domain/commands/delivery.ts';
import { StateLabel } from '../../ui/StateLabel.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import styles from './Deliveries.module.css';
import { DeliveryBytes } from './DeliveryBytes.tsx';
import { sourceText, stateNames, toneOf } from './deliveryText.ts';

interface ExecutionHeadProps {
  execution: Execution | undefined;
  first: Delivery | undefined;
  /** All deliveries have the bytes of the first. */
  hasBytes: boolean;
}

/** One execution: its sender, its time, and the number of deliveries by state. For an old one only the first delivery is known. */
export function ExecutionHead({ execution, first, hasBytes }: ExecutionHeadProps) {
  const created = execution?.created_at ?? first?.created_at;
  const source = execution ? sourceText(execution) : first && sourceText({ source: first.source, user: null });
  const isOne = execution?.devices === 1;
  return (
    <div className={styles.executionHead}>
      <strong>{source}</strong>
      <span className={styles.note}>
        <TimeAgo date={created} />
      </span>
      {execution && execution.mode === 'replace' && <span className={styles.note}>replace</span>}
      {execution?.is_late && <StateLabel tone="warning">Late</StateLabel>}
      {first && hasBytes && <DeliveryBytes delivery={first} />}
      {execution && !isOne && (
        <span className={styles.counts}>
          <span className={styles.note}>{execution.devices.toLocaleString('en')} devices</span>
          {deliveryStates
            .filter((state) => execution.states[state])
            .map((state) => (
              <StateLabel key={state} tone={toneOf(state, execution.is_final)}>
                {execution.states[state]?.toLocaleString('en')} {stateNames[state].toLowerCase()}
              </StateLabel>
            ))}
        </span>
      )}
    </div>
  );
}
