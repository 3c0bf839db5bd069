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
  /** Only where there is no room for the side pane, which tells the same. */
  isForNarrow?: boolean;
}

/** Screens 6 and 5.1: who made it, who changed it last, where it runs and when it refreshes, in one line. */
export function MetaStrip({ query, source, isForNarrow = false }: MetaStripProps) {
  return (
    <div className={`${styles.strip} ${isForNarrow ? styles.narrow : ''}`}>
      <span>
        {query.user.name} created <TimeAgo date={query.created_at} />
      </span>
      <span>
        {(query.last_modified_by ?? query.user).name} updated <TimeAgo date={query.updated_at} />
      </span>
      {source && (
        <span className={styles.source}>
          <SourceLogo type={source.type} size={16} /> {source.name}
        </span>
      )}
      <span>Refresh Schedule: {query.schedule_problem ?? refreshText(localSchedule(query.schedule))}</span>
    </div>
  );
}
