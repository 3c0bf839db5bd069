import { type ListedQuery, queriesApi } from '@telltale/domain/queries/contract.ts';
import { everyText, refreshText } from '@telltale/domain/schedules/intervals.ts';
import { useLocation } from 'react-router';
import { useList, useRead } from '../../api/query.ts';
import { useCan, useSession } from '../../api/session.ts';
import { HelpLink } from '../../help/HelpLink.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { type Column, ItemsPage, type View } from '../../ui/ItemsPage.tsx';
import { NameCell } from '../../ui/NameCell.tsx';
import { Person } from '../../ui/Person.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { FavoriteStar } from '../FavoriteStar.tsx';
import { localSchedule } from '../localSchedule.ts';
import { AddQuery } from './AddQuery.tsx';
import styles from './QueriesPage.module.css';

interface QueriesView extends View {
  heading: string;
  list: (typeof queriesApi)['list'];
  order: string;
  empty: string;
  isForAuthors?: boolean;
}

const allQueries: QueriesView = {
  title: 'All Queries',
  heading: 'Queries',
  to: '/queries',
  list: queriesApi.list,
  order: '-created_at',
  empty: 'There are no queries yet. A query asks a data source and shows its answer.',
};
const views: readonly QueriesView[] = [
  allQueries,
  {
    title: 'Favorites',
    heading: 'Favorite Queries',
    to: '/queries/favorites',
    list: queriesApi.favorites,
    order: '-created_at',
    empty: 'Mark queries as Favorite to list them here.',
  },
  {
    title: 'My Queries',
    heading: 'My Queries',
    to: '/queries/my',
    list: queriesApi.my,
    order: '-created_at',
    empty: 'You have no queries of your own yet.',
    isForAuthors: true,
  },
  {
    title: 'Archived',
    heading: 'Archived Queries',
    to: '/queries/archive',
    list: queriesApi.archived,
    order: '-created_at',
    empty: 'Archived queries will be listed here.',
  },
];

/** Q2: the columns of every list of queries. */
const columns: readonly Column<ListedQuery>[] = [
  {
    title: 'Name',
    sort: 'name',
    cell: (query) => <NameCell star={<FavoriteStar query={query} />} to={`/queries/${query.id}`} item={query} />,
  },
  {
    title: 'Created By',
    sort: 'created_by',
    cell: ({ user }) => <Person name={user.name} image={user.profile_image_url} />,
    width: 180,
    hideBelow: 800,
  },
  { title: 'Created At', sort: 'created_at', cell: (query) => <TimeAgo date={query.created_at} />, width: 136, hideBelow: 800 },
  {
    title: 'Last Executed At',
    sort: 'executed_at',
    cell: (query) => <TimeAgo date={query.retrieved_at} placeholder="Never" />,
    width: 144,
    hideBelow: 640,
  },
  { title: 'Refresh Schedule', sort: 'schedule', cell: (query) => <RefreshSchedule query={query} />, width: 152, hideBelow: 960 },
];
const starredColumn: Column<ListedQuery> = {
  title: 'Starred At',
  sort: 'starred_at',
  cell: (query) => <TimeAgo date={query.starred_at} />,
  width: 128,
  hideBelow: 960,
};

/** /queries, /queries/from_devices, /queries/favorites, /queries/my, /queries/archive */
export function QueriesPage() {
  const can = useCan();
  const { pathname } = useLocation();
  const view = views.find(({ to }) => to === pathname) ?? allQueries;
  const { multiByteSearchEnabled } = useSession().client_config;
  const isAuthor = can('create_query');
  const queries = useList(view.list, {
    order: view.order,
    remember: 'queries',
    query: { brief: '1' },
    ranksSearch: !multiByteSearchEnabled,
  });
  const tags = useRead(queriesApi.tags, {});
  return (
    <ItemsPage
      title={view.heading}
      items={queries}
      columns={view.to === '/queries/favorites' ? [...columns, starredColumn] : columns}
      views={views.filter(({ isForAuthors }) => isAuthor || !isForAuthors)}
      tags={tags.data?.tags ?? []}
      tagged="queries"
      action={isAuthor && <AddQuery opensByAddress />}
      empty={
        <EmptyState
          action={
            isAuthor &&
            canStart(view) && (
              <span className={styles.start}>
                <AddQuery isFirst />
                <HelpLink topic="queries">Need help?</HelpLink>
              </span>
            )
          }
        >
          {view.empty}
        </EmptyState>
      }
    />
  );
}

const canStart = ({ to }: QueriesView) => to === '/queries' || to === '/queries/my';

function RefreshSchedule({ query }: { query: ListedQuery }) {
  const schedule = localSchedule(query.schedule);
  if (!schedule) return 'Never';
  return (
    <Tooltip title={refreshText(schedule)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable by keyboard (screens 1.4) */}
      <span tabIndex={0}>{everyText(schedule.interval)}</span>
    </Tooltip>
  );
}
