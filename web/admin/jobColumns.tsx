import type { JobsStatus } from '@telltale/domain/admin/contract.ts';
import { Link } from 'react-router';
import { durationText } from '../queries/run/durationText.ts';
import type { Column } from '../ui/items/column.ts';
import { RowButton } from '../ui/RowButton.tsx';
import { StateLabel, type Tone } from '../ui/StateLabel.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { useCancelJob, useRetryJob } from './useAdmin.ts';

export type Queue = JobsStatus['queues'][string];
export type StartedJob = Queue['started'][number];
export type Worker = JobsStatus['workers'][number];
export type FailedJob = JobsStatus['failed'][number];

/** server-behaviour 23.2: clients recognise queries among jobs by this name. */
export const isQueryJob = ({ name }: { name: string }) => name === 'redash.tasks.queries.execution.execute_query';

const text = (value: unknown) => (value === null || value === undefined ? '–' : String(value));

export const queueColumns: readonly Column<Queue>[] = [
  { title: 'Name', sort: 'name', cell: ({ name }) => name },
  { title: 'Started', sort: 'started.length', cell: ({ started }) => started.length, width: 120 },
  { title: 'Queued', sort: 'queued', cell: ({ queued }) => queued, width: 120 },
];

const tones: Record<Worker['state'], Tone> = { busy: 'info', idle: 'ok', started: 'neutral', suspended: 'warning' };

export const workerColumns: readonly Column<Worker>[] = [
  { title: 'State', sort: 'state', cell: ({ state }) => <StateLabel tone={tones[state]}>{state}</StateLabel>, width: 104 },
  { title: 'Hostname', sort: 'hostname', cell: ({ hostname }) => hostname },
  { title: 'PID', sort: 'pid', cell: ({ pid }) => pid, width: 72 },
  { title: 'Name', sort: 'name', cell: ({ name }) => name, hideBelow: 960 },
  { title: 'Queues', sort: 'queues', cell: ({ queues }) => queues, hideBelow: 960 },
  { title: 'Current Job', sort: 'current_job', cell: ({ current_job }) => text(current_job), hideBelow: 800 },
  { title: 'Successful Jobs', sort: 'successful_jobs', cell: ({ successful_jobs }) => successful_jobs, width: 136 },
  { title: 'Failed Jobs', sort: 'failed_jobs', cell: ({ failed_jobs }) => failed_jobs, width: 112 },
  { title: 'Birth Date', sort: 'birth_date', cell: ({ birth_date }) => <TimeAgo date={birth_date} />, width: 112, hideBelow: 800 },
  {
    title: 'Total Working Time',
    sort: 'total_working_time',
    cell: ({ total_working_time }) => durationText(total_working_time),
    width: 160,
    hideBelow: 800,
  },
];

const times: readonly Column<StartedJob>[] = [
  { title: 'Start Time', sort: 'started_at', cell: ({ started_at }) => <TimeAgo date={started_at} />, width: 128 },
  { title: 'Enqueue Time', sort: 'enqueued_at', cell: ({ enqueued_at }) => <TimeAgo date={enqueued_at} />, width: 128, hideBelow: 640 },
];
const cancelColumn: Column<StartedJob> = { title: '', cell: (job) => <CancelButton job={job} />, width: 96, align: 'end' };

export const queryColumns: readonly Column<StartedJob>[] = [
  { title: 'Queue', sort: 'origin', cell: ({ origin }) => origin },
  { title: 'Query ID', sort: 'meta.query_id', cell: ({ meta }) => <QueryLink id={meta.query_id} />, width: 96 },
  { title: 'Org ID', sort: 'meta.org_id', cell: ({ meta }) => text(meta.org_id), width: 80, hideBelow: 960 },
  { title: 'Data Source ID', sort: 'meta.data_source_id', cell: ({ meta }) => text(meta.data_source_id), width: 128, hideBelow: 800 },
  { title: 'User ID', sort: 'meta.user_id', cell: ({ meta }) => text(meta.user_id), width: 80, hideBelow: 800 },
  { title: 'Scheduled', sort: 'meta.scheduled', cell: ({ meta }) => (meta.scheduled ? 'Yes' : 'No'), width: 96, hideBelow: 960 },
  ...times,
  cancelColumn,
];

export const otherColumns: readonly Column<StartedJob>[] = [
  { title: 'Queue', sort: 'origin', cell: ({ origin }) => origin },
  { title: 'Job Name', sort: 'name', cell: ({ name }) => name },
  ...times,
  cancelColumn,
];

export const failedColumns: readonly Column<FailedJob>[] = [
  { title: 'Job Name', sort: 'name', cell: ({ name }) => name },
  { title: 'Queue', sort: 'origin', cell: ({ origin }) => origin, width: 144, hideBelow: 800 },
  { title: 'Query ID', sort: 'meta.query_id', cell: ({ meta }) => <QueryLink id={meta.query_id} />, width: 96, hideBelow: 800 },
  { title: 'Error', sort: 'error', cell: ({ error }) => error },
  { title: 'Failed At', sort: 'finished_at', cell: ({ finished_at }) => <TimeAgo date={finished_at} />, width: 128 },
  { title: '', cell: (job) => <RetryButton job={job} />, width: 88, align: 'end' },
];

const QueryLink = ({ id }: { id: unknown }) => (typeof id === 'number' ? <Link to={`/queries/${id}`}>{id}</Link> : text(id));

function CancelButton({ job }: { job: StartedJob }) {
  const cancel = useCancelJob();
  return (
    <RowButton thing={`job ${job.id}`} loading={cancel.isPending} onClick={() => cancel.mutate({ params: { id: job.id } })}>
      Cancel
    </RowButton>
  );
}

function RetryButton({ job }: { job: FailedJob }) {
  const retry = useRetryJob();
  return (
    <RowButton thing={`job ${job.id}`} loading={retry.isPending} onClick={() => retry.mutate({ params: { id: job.id } })}>
      Retry
    </RowButton>
  );
}
