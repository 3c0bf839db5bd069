import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import type { Query } from '@telltale/domain/queries/contract.ts';
import { refreshText } from '@telltale/domain/schedules/intervals.ts';
import { SourceLogo } from '../data-sources/logos/SourceLogo.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { localSchedule } from './localSchedule.ts';
import styles from './MetaStrip.module.css';

interface MetaStripProps {
  query: Query;
  source?: DataSource | undefined;
  /** Shown only on narrow screens, without the side pane, which has the same facts. */
  isForNarrow?: boolean;
}

/** Screens 6 and 5.1: creator, last editor, source and refresh schedule, in one line. */
export function MetaStrip({ query, source, isForNarrow = false }: MetaStripProps) {
  return (
    <div className={`${styles.strip} ${isForNarrow ? styles.narrow : ''}`}>
      <span>
        Created by {query.user.name} <TimeAgo date={query.created_at} />
      </span>
      <span>
        Updated by {(query.last_modified_by ?? query.user).name} <TimeAgo date={query.updated_at} />
      </span>
      {source && (
        <span className={styles.source}>
          <SourceLogo type={source.type} size={16} /> {source.name}
        </span>
      )}
      <span>Refresh schedule: {query.schedule_problem ?? scheduleWords(query)}</span>
    </div>
  );
}

/** "every hour at 00:15", behind the label. */
const scheduleWords = ({ schedule }: Query) => refreshText(localSchedule(schedule)).replace(/^Refreshes /, '');
