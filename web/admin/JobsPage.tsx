import type { JobsStatus } from '@telltale/domain/admin/contract.ts';
import { Alert, Tabs } from 'antd';
import { useLocation, useNavigate } from 'react-router';
import { AdminFrame } from '../layout/AdminFrame.tsx';
import { FormSkeleton } from '../ui/FormSkeleton.tsx';
import { AdminTable } from './AdminTable.tsx';
import styles from './JobsPage.module.css';
import { failedColumns, isQueryJob, otherColumns, queryColumns, queueColumns, workerColumns } from './jobColumns.tsx';
import { useJobsStatus } from './useAdmin.ts';

/** /admin/queries/jobs (Q2): read again every minute, also after an error. */
export function JobsPage() {
  const { data, error } = useJobsStatus();
  return (
    <AdminFrame>
      {error && <Alert type="error" showIcon title="Failed loading status. Please refresh." />}
      {!error && !data && <FormSkeleton />}
      {!error && data && <Status status={data} />}
    </AdminFrame>
  );
}

function Status({ status }: { status: JobsStatus }) {
  const queues = Object.values(status.queues);
  const started = queues.flatMap((queue) => queue.started);
  const queued = queues.reduce((sum, queue) => sum + queue.queued, 0);
  const tabs = [
    {
      key: 'queues',
      label: 'Queues',
      children: (
        <AdminTable
          label="Queues"
          columns={queueColumns}
          items={queues}
          keyOf={({ name }) => name}
          order="name"
          empty="There are no queues."
        />
      ),
    },
    {
      key: 'workers',
      label: 'Workers',
      children: (
        <AdminTable
          label="Workers"
          columns={workerColumns}
          items={status.workers}
          keyOf={({ name }) => name}
          order="hostname"
          empty="No worker is running. Queries wait until one is started."
        />
      ),
    },
    {
      key: 'queries',
      label: 'Queries',
      children: (
        <AdminTable
          label="Queries"
          columns={queryColumns}
          items={started.filter(isQueryJob)}
          keyOf={({ id }) => id}
          order="started_at"
          empty="No query is running."
        />
      ),
    },
    {
      key: 'other',
      label: 'Other Jobs',
      children: (
        <AdminTable
          label="Other Jobs"
          columns={otherColumns}
          items={started.filter((job) => !isQueryJob(job))}
          keyOf={({ id }) => id}
          order="started_at"
          empty="No other job is running."
        />
      ),
    },
    {
      key: 'failed',
      label: 'Failed Jobs',
      children: (
        <AdminTable
          label="Failed Jobs"
          columns={failedColumns}
          items={status.failed}
          keyOf={({ id }) => id}
          order="-finished_at"
          empty="No job has failed in the last week."
        />
      ),
    },
  ];
  const { hash } = useLocation();
  const navigate = useNavigate();
  const shown = tabs.some(({ key }) => `#${key}` === hash) ? hash.slice(1) : 'queues';
  return (
    <>
      <dl className={styles.counts}>
        <div className={styles.count}>
          <dt>Started Jobs</dt>
          <dd>{started.length.toLocaleString('en')}</dd>
        </div>
        <div className={styles.count}>
          <dt>Queued Jobs</dt>
          <dd>{queued.toLocaleString('en')}</dd>
        </div>
      </dl>
      <Tabs
        aria-label="Jobs"
        activeKey={shown}
        items={tabs.map((tab) => ({ ...tab, destroyOnHidden: true }))}
        onChange={(key) => navigate({ hash: key }, { replace: true })}
      />
    </>
  );
}
