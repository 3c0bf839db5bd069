import type { Query } from '@telltale/domain/queries/contract.ts';
import { refreshText } from '@telltale/domain/schedules/intervals.ts';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { localSchedule } from './localSchedule.ts';
import styles from './QuerySource.module.css';

/** Screens 5.1: creator, last editor, refresh schedule. */
export function QueryMeta({ query }: { query: Query }) {
  return (
    <dl className={styles.meta}>
      <dt>Created by</dt>
      <dd>
        {query.user.name} <TimeAgo date={query.created_at} />
      </dd>
      <dt>Updated by</dt>
      <dd>
        {(query.last_modified_by ?? query.user).name} <TimeAgo date={query.updated_at} />
      </dd>
      <dt>Refresh Schedule</dt>
      <dd>{query.schedule_problem ?? refreshText(localSchedule(query.schedule)).replace(/^Refreshes every/, 'Every')}</dd>
    </dl>
  );
}
