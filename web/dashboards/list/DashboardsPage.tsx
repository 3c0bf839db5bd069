import PlusOutlined from '@ant-design/icons/PlusOutlined';
import { dashboardsApi, type ListedDashboard } from '@telltale/domain/dashboards/contract.ts';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useList, useRead } from '../../api/query.ts';
import { useCan } from '../../api/session.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { type Column, ItemsPage, type View } from '../../ui/ItemsPage.tsx';
import { NameCell } from '../../ui/NameCell.tsx';
import { Person } from '../../ui/Person.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { DashboardStar } from '../DashboardStar.tsx';

const NewDashboardDialog = lazy(() => import('../dialogs/NewDashboardDialog.tsx'));

interface DashboardsView extends View {
  heading: string;
  list: (typeof dashboardsApi)['list'];
  order: string;
  empty: string;
  isForAuthors?: boolean;
}

const allDashboards: DashboardsView = {
  title: 'All Dashboards',
  heading: 'Dashboards',
  to: '/dashboards',
  list: dashboardsApi.list,
  order: '-created_at',
  empty: 'See the big picture: a dashboard shows the results of several queries side by side.',
};
const views: readonly DashboardsView[] = [
  allDashboards,
  {
    title: 'Favorites',
    heading: 'Favorite Dashboards',
    to: '/dashboards/favorites',
    list: dashboardsApi.favorites,
    order: '-created_at',
    empty: 'Mark dashboards as Favorite to list them here.',
  },
  {
    title: 'My Dashboards',
    heading: 'My Dashboards',
    to: '/dashboards/my',
    list: dashboardsApi.my,
    order: '-created_at',
    empty: 'You have no dashboards of your own yet.',
    isForAuthors: true,
  },
];

/** D2: the columns of every list of dashboards. */
const columns: readonly Column<ListedDashboard>[] = [
  {
    title: 'Name',
    sort: 'name',
    cell: (dashboard) => <NameCell star={<DashboardStar dashboard={dashboard} />} to={dashboard.url} item={dashboard} />,
  },
  {
    title: 'Created By',
    sort: 'created_by',
    cell: ({ user }) => <Person name={user.name} image={user.profile_image_url} />,
    width: 200,
    hideBelow: 640,
  },
  { title: 'Created At', sort: 'created_at', cell: ({ created_at }) => <TimeAgo date={created_at} />, width: 144, hideBelow: 800 },
];
const starredColumn: Column<ListedDashboard> = {
  title: 'Starred At',
  sort: 'starred_at',
  cell: ({ starred_at }) => <TimeAgo date={starred_at} />,
  width: 136,
  hideBelow: 960,
};

/** /dashboards, /dashboards/favorites, /dashboards/my, /dashboards/new */
export function DashboardsPage() {
  const can = useCan();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [isAsked, setAsked] = useState(false);
  const view = views.find(({ to }) => to === pathname) ?? allDashboards;
  const isAuthor = can('create_dashboard');
  const dashboards = useList(view.list, { order: view.order, remember: 'dashboards' });
  const tags = useRead(dashboardsApi.tags, {});
  const isNew = pathname === '/dashboards/new';
  const close = () => (isNew ? navigate('/dashboards', { replace: true }) : setAsked(false));
  const add = (isFirst: boolean) => (
    <Button type={isFirst ? 'default' : 'primary'} icon={<PlusOutlined />} onClick={() => setAsked(true)}>
      {isFirst ? 'Create your first dashboard!' : 'Add Dashboard'}
    </Button>
  );
  return (
    <>
      <ItemsPage
        title={view.heading}
        items={dashboards}
        columns={view.to === '/dashboards/favorites' ? [...columns, starredColumn] : columns}
        views={views.filter(({ isForAuthors }) => isAuthor || !isForAuthors)}
        tags={tags.data?.tags ?? []}
        tagged="dashboards"
        searchPlaceholder="Search Dashboards..."
        action={isAuthor && add(false)}
        empty={<EmptyState action={isAuthor && view.to !== '/dashboards/favorites' && add(true)}>{view.empty}</EmptyState>}
      />
      {isAuthor && (isAsked || isNew) && (
        <Suspense>
          <NewDashboardDialog onClose={close} />
        </Suspense>
      )}
    </>
  );
}
