import type { ListedUser } from '@telltale/domain/users/contract.ts';
import { useLocation } from 'react-router';
import { useCan } from '../api/session.ts';
import { SettingsFrame } from '../layout/SettingsFrame.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { type Column, ItemsPage, type View } from '../ui/ItemsPage.tsx';
import { Person } from '../ui/Person.tsx';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import { GroupLabels } from './GroupLabels.tsx';
import { NewUserButton } from './NewUserButton.tsx';
import { UserAction } from './UserAction.tsx';
import { type UsersView, useUsers } from './useUsers.ts';

interface UsersMenuEntry extends View {
  name: UsersView;
  empty: string;
  isForAdmins?: boolean;
}

/** Shown at /users and behind the dialog of /users/new. */
const activeView: UsersMenuEntry = { name: 'active', title: 'Active Users', to: '/users', empty: 'There are no active users yet.' };
const views: readonly UsersMenuEntry[] = [
  activeView,
  { name: 'pending', title: 'Pending Invitations', to: '/users/pending', empty: 'There are no pending invitations.' },
  { name: 'disabled', title: 'Disabled Users', to: '/users/disabled', empty: 'There are no disabled users.', isForAdmins: true },
];

const columns: readonly Column<ListedUser>[] = [
  {
    title: 'Name',
    sort: 'name',
    cell: (user) => <Person name={user.name} email={user.email} image={user.profile_image_url} to={`/users/${user.id}`} />,
  },
  { title: 'Groups', cell: (user) => <GroupLabels groups={user.groups} />, width: 240 },
  { title: 'Joined', sort: 'created_at', cell: (user) => <TimeAgo date={user.created_at} />, width: 128, hideBelow: 960 },
  {
    title: 'Last Active At',
    sort: 'active_at',
    cell: (user) => <TimeAgo date={user.active_at} placeholder="Never" />,
    width: 136,
    hideBelow: 800,
  },
];

const actionColumn: Column<ListedUser> = { title: '', cell: (user) => <UserAction user={user} />, width: 96, align: 'end' };

export function UsersPage() {
  const can = useCan();
  const { pathname } = useLocation();
  const isAdmin = can('admin');
  const view = views.find(({ to }) => to === pathname) ?? activeView;
  const users = useUsers(view.name);
  return (
    <SettingsFrame>
      <ItemsPage
        title="Users"
        level={2}
        items={users}
        columns={[...columns, ...(isAdmin ? [actionColumn] : [])]}
        views={views.filter(({ isForAdmins }) => isAdmin || !isForAdmins)}
        action={isAdmin && <NewUserButton />}
        empty={<EmptyState>{view.empty}</EmptyState>}
      />
    </SettingsFrame>
  );
}
