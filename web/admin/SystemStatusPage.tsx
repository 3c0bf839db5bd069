import type { SystemStatus } from '@telltale/domain/admin/contract.ts';
import { AdminFrame } from '../layout/AdminFrame.tsx';
import { bytesText } from '../queries/run/durationText.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { FormSkeleton } from '../ui/FormSkeleton.tsx';
import { StaleNotice } from '../ui/items/StaleNotice.tsx';
import { StateLabel } from '../ui/StateLabel.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import styles from './Card.module.css';
import { Card } from './Card.tsx';
import { generalEntries, humanised, timeOfSeconds } from './statusCards.ts';
import { useSystemStatus } from './useAdmin.ts';

/** /admin/status (A2). */
export function SystemStatusPage() {
  const { data, error, refetch } = useSystemStatus();
  return (
    <AdminFrame>
      {error && !data && <ErrorState error={error} onRetry={refetch} />}
      {!error && !data && <FormSkeleton />}
      {error && data && <StaleNotice error={error} onRetry={refetch} />}
      {data && <Cards status={data} />}
    </AdminFrame>
  );
}

const count = (value: number) => value.toLocaleString('en');

function Cards({ status }: { status: SystemStatus }) {
  const { manager, database_metrics, uplinks, broker, storage, stored_results, periodic } = status;
  const rejected = Object.values(uplinks.rejected).reduce((sum, each) => sum + each, 0);
  const late = periodic.filter(({ is_late }) => is_late);
  const time = (seconds: string | undefined) => <TimeAgo date={timeOfSeconds(seconds)} placeholder="n/a" />;
  return (
    <div className={styles.cards}>
      <Card title="General" entries={generalEntries(status).map(([label, value]) => ({ label, value }))} />
      <Card
        title="Manager"
        entries={[
          { label: 'Last Refresh', value: time(manager.last_refresh_at) },
          { label: 'Started', value: time(manager.started_at) },
          { label: 'Outdated Queries Count', value: manager.outdated_queries_count ?? 'n/a' },
        ]}
      />
      <Card title="Queues" entries={Object.entries(manager.queues).map(([label, { size }]) => ({ label, value: count(size) }))} />
      <Card title="Redash Database" entries={database_metrics.metrics.map(([label, bytes]) => ({ label, value: bytesText(bytes) }))} />
      <Card
        title="Ingest and Broker"
        note={broker.running === 0 && 'No broker is running.'}
        entries={[
          { label: 'Brokers Running', value: count(broker.running) },
          { label: 'MQTT Connections', value: count(broker.connections) },
          { label: 'Refused Publishes', value: count(broker.denied) },
          { label: 'Waiting for Storage', value: bytesText(broker.held_bytes) },
          { label: 'Messages Received', value: count(uplinks.received) },
          { label: 'Messages Stored', value: count(uplinks.stored) },
          { label: 'Duplicates', value: count(uplinks.duplicate) },
          { label: 'Rejected', value: count(rejected) },
          ...Object.entries(uplinks.rejected).map(([code, each]) => ({ label: `Rejected: ${humanised(code)}`, value: count(each) })),
        ]}
      />
      <Card
        title="Stored Results"
        entries={[
          { label: 'In Use', value: bytesText(stored_results.bytes) },
          { label: 'Quota', value: stored_results.quota_bytes === null ? 'None' : bytesText(stored_results.quota_bytes) },
          {
            label: 'Quota per Person',
            value: stored_results.person_quota_bytes === null ? 'None' : bytesText(stored_results.person_quota_bytes),
          },
          ...stored_results.people.map(({ user_id, name, bytes }) => ({ label: `${name} (${user_id})`, value: bytesText(bytes) })),
        ]}
      />
      <Card
        title="Storage per Channel"
        note={
          storage[0] && (
            <>
              Measured <TimeAgo date={storage[0].measured_at} />.
            </>
          )
        }
        entries={storage.map(({ channel_id, bytes }) => ({ label: channel_id, value: bytesText(bytes) }))}
      />
      <Card
        title="Periodic Tasks"
        note={late.length > 0 && <StateLabel tone="danger">{`${late.length} late: the scheduler may be stopped.`}</StateLabel>}
        entries={periodic.map(({ name, last_run_at, last_error, is_late }) => ({
          label: name,
          value: (
            <>
              {is_late && <StateLabel tone="danger">Late</StateLabel>} {last_error && <span className={styles.fault}>{last_error}</span>}{' '}
              <TimeAgo date={last_run_at} />
            </>
          ),
        }))}
      />
    </div>
  );
}
