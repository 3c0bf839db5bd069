import type { ListedQuery } from '@telltale/domain/queries/contract.ts';
import { everyText } from '@telltale/domain/schedules/intervals.ts';
import { Switch } from 'antd';
import { useId, useState } from 'react';
import { useSortedItems } from '../api/useSortedItems.ts';
import { AdminFrame } from '../layout/AdminFrame.tsx';
import { FavoriteStar } from '../queries/FavoriteStar.tsx';
import { localSchedule } from '../queries/localSchedule.ts';
import { durationText } from '../queries/run/durationText.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { type Column, ItemsPage } from '../ui/ItemsPage.tsx';
import { NameCell } from '../ui/NameCell.tsx';
import { Person } from '../ui/Person.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { adminPageSizes } from './AdminTable.tsx';
import styles from './OutdatedQueriesPage.module.css';
import { timeOfSeconds } from './statusCards.ts';
import { useOutdatedQueries } from './useAdmin.ts';

const columns: readonly Column<ListedQuery>[] = [
  { title: 'ID', sort: 'id', cell: ({ id }) => id, width: 72 },
  {
    title: 'Name',
    sort: 'name',
    cell: (query) => <NameCell star={<FavoriteStar query={query} />} to={`/queries/${query.id}`} item={query} />,
  },
  {
    title: 'Created By',
    sort: 'user.name',
    cell: ({ user }) => <Person name={user.name} image={user.profile_image_url} />,
    width: 168,
    hideBelow: 800,
  },
  { title: 'Created At', sort: 'created_at', cell: ({ created_at }) => <TimeAgo date={created_at} />, width: 128, hideBelow: 800 },
  { title: 'Runtime', sort: 'runtime', cell: ({ runtime }) => durationText(runtime), width: 96, hideBelow: 960 },
  {
    title: 'Last Executed At',
    sort: 'retrieved_at',
    cell: ({ retrieved_at }) => <TimeAgo date={retrieved_at} placeholder="Never" />,
    width: 144,
    hideBelow: 640,
  },
  { title: 'Update Schedule', sort: 'schedule.interval', cell: ({ schedule }) => scheduleText(schedule), width: 144, hideBelow: 960 },
];

function scheduleText(stored: ListedQuery['schedule']): string {
  const schedule = localSchedule(stored);
  return schedule ? everyText(schedule.interval) : 'Never';
}

/** /admin/queries/outdated (Q2). */
export function OutdatedQueriesPage() {
  const [isAutoUpdated, setAutoUpdated] = useState(true);
  const { data, error, isPending, refetch } = useOutdatedQueries(isAutoUpdated);
  const list = useSortedItems(data?.queries ?? [], '-created_at', 25);
  const items = { ...list, isFirstLoad: isPending, error, reload: refetch };
  const id = useId();
  return (
    <AdminFrame>
      <ItemsPage
        title="Outdated Queries"
        level={2}
        items={items}
        columns={columns}
        hasSearch={false}
        pageSizes={adminPageSizes}
        action={
          <span className={styles.update}>
            {data && (
              <span className={styles.time}>
                Last updated: <TimeAgo date={timeOfSeconds(data.updated_at)} />
              </span>
            )}
            <label htmlFor={id}>Auto update</label>
            <Switch id={id} checked={isAutoUpdated} onChange={setAutoUpdated} />
          </span>
        }
        empty={<EmptyState>There are no outdated queries.</EmptyState>}
      />
    </AdminFrame>
  );
}
