import type { Delivery, DeliveryStatus } from '@telltale/domain/destinations/contract.ts';
import type { ListItems } from '../api/query.ts';
import { type Column, ItemsPage } from '../ui/ItemsPage.tsx';
import { NothingYet } from '../ui/NothingYet.tsx';
import { StateLabel, type Tone } from '../ui/StateLabel.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import styles from './DeliveryLog.module.css';

interface DeliveryLogProps {
  deliveries: ListItems<Delivery>;
  empty: string;
  /** Adds a column with the target of each notice, where there are several targets. */
  hasTargets?: boolean;
}

const looks: Record<DeliveryStatus, { tone: Tone; text: string }> = {
  waiting: { tone: 'info', text: 'Waiting' },
  sent: { tone: 'ok', text: 'Sent' },
  failed: { tone: 'danger', text: 'Failed' },
  gave_up: { tone: 'danger', text: 'Gave up' },
};

/** Each notice with its attempts and its last error, newest first. */
export function DeliveryLog({ deliveries, empty, hasTargets = false }: DeliveryLogProps) {
  const columns: readonly Column<Delivery>[] = [
    { title: 'Created', cell: ({ created_at }) => <TimeAgo date={created_at} />, width: 130 },
    ...(hasTargets ? [{ title: 'To', cell: targetOf, width: '22%' }] : []),
    { title: 'Notice', cell: ({ subject }) => <span title={subject}>{subject}</span> },
    { title: 'Status', cell: (delivery) => <Status delivery={delivery} />, width: '38%' },
  ];
  return (
    <ItemsPage
      title="Deliveries"
      level={2}
      isPart
      items={deliveries}
      keyOf={({ kind, id }) => `${kind} ${id}`}
      columns={columns}
      empty={<NothingYet>{empty}</NothingYet>}
    />
  );
}

const targetOf = ({ kind, name }: Delivery) => (
  <span title={name}>
    {name}
    {kind === 'command' && <span className={styles.note}> command</span>}
  </span>
);

function Status({ delivery: { status, attempts, last_error, next_attempt_at } }: { delivery: Delivery }) {
  const { tone, text } = looks[status];
  return (
    <span className={styles.status}>
      <StateLabel tone={tone}>
        {text}
        {attempts > 1 && <span className={styles.note}>{`${attempts} attempts`}</span>}
        {status === 'waiting' && attempts > 0 && next_attempt_at && (
          <span className={styles.note}>
            next <TimeAgo date={next_attempt_at} />
          </span>
        )}
      </StateLabel>
      {last_error && status !== 'sent' && (
        <span className={styles.error} title={last_error}>
          {last_error}
        </span>
      )}
    </span>
  );
}
