import ArrowRightOutlined from '@ant-design/icons/ArrowRightOutlined';
import type { Evaluation } from '@telltale/domain/alerts/contract.ts';
import { type Column, ItemsPage } from '../../ui/ItemsPage.tsx';
import { NothingYet } from '../../ui/NothingYet.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import styles from '../AlertPage.module.css';
import { AlertState } from '../AlertState.tsx';
import { useEvaluations } from '../useAlerts.ts';
import { valueText } from './valueText.ts';

/** Complaint 50: every evaluation with its value, its state, and why it did or did not notify. */
export function EvaluationLog({ alertId, hasDevices }: { alertId: number; hasDevices: boolean }) {
  const evaluations = useEvaluations(alertId);
  const columns: readonly Column<Evaluation>[] = [
    { title: 'Evaluated', cell: ({ evaluated_at }) => <TimeAgo date={evaluated_at} />, width: 130 },
    ...(hasDevices ? [{ title: 'Device', cell: ({ device_id }: Evaluation) => device_id ?? '–', width: '16%' }] : []),
    { title: 'Value', cell: ({ value }) => <Value value={value} />, width: '16%', align: 'end' },
    { title: 'State', cell: (evaluation) => <Change {...evaluation} />, width: 204 },
    { title: 'Notice', cell: ({ reason }) => <span className={styles.why}>{reason}</span> },
  ];
  return (
    <ItemsPage
      title="Timeline"
      level={2}
      isPart
      items={evaluations}
      columns={columns}
      empty={<NothingYet>Alert condition has not been evaluated.</NothingYet>}
    />
  );
}

const Value = ({ value }: { value: unknown }) => {
  const text = valueText(value);
  return <span title={text}>{text}</span>;
};

/** Shows the previous state only where it differs. */
function Change({ previous_state, state }: Pick<Evaluation, 'previous_state' | 'state'>) {
  return (
    <span className={styles.change}>
      {previous_state !== state && (
        <>
          <span className={styles.before}>{previous_state.toUpperCase()}</span>
          <ArrowRightOutlined aria-label="to" />
        </>
      )}
      <AlertState state={state} />
    </span>
  );
}
