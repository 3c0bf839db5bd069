import type { Group } from '@telltale/domain/groups/contract.ts';
import { Link, useLocation, useParams, useSearchParams } from 'react-router';
import { useCan } from '../api/session.ts';
import { SettingsFrame } from '../layout/SettingsFrame.tsx';
import { useTitle } from '../layout/useTitle.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { FormSkeleton } from '../ui/FormSkeleton.tsx';
import { GroupChannels } from './GroupChannels.tsx';
import { GroupDataSources } from './GroupDataSources.tsx';
import { MembersPage } from './MembersPage.tsx';
import { PermissionsPage } from './PermissionsPage.tsx';
import { useGroup } from './useGroups.ts';

export function GroupPage() {
  const { groupId } = useParams();
  const { data: group, error, refetch } = useGroup(Number(groupId));
  useTitle(group?.name);
  return (
    <SettingsFrame>
      {error && !group && <ErrorState error={error} onRetry={refetch} action={<Link to="/groups">Groups</Link>} />}
      {!error && !group && <FormSkeleton />}
      {group && <GroupView key={group.id} group={group} />}
    </SettingsFrame>
  );
}

function GroupView({ group }: { group: Group }) {
  const isAdmin = useCan()('admin');
  const [search] = useSearchParams();
  const { pathname } = useLocation();
  // Administrators may do everything and see all channels: there is nothing to choose.
  const isLimited = isAdmin && !group.permissions.includes('admin');
  const views = [
    { title: 'Members', to: `/groups/${group.id}` },
    ...(isAdmin ? [{ title: 'Data Sources', to: `/groups/${group.id}/data_sources` }] : []),
    ...(isLimited ? [{ title: 'Channels', to: `/groups/${group.id}?view=channels` }] : []),
    ...(isLimited ? [{ title: 'Permissions', to: `/groups/${group.id}?view=permissions` }] : []),
  ];
  if (isAdmin && pathname === `/groups/${group.id}/data_sources`) return <GroupDataSources group={group} views={views} />;
  if (isLimited && search.get('view') === 'channels') return <GroupChannels group={group} views={views} />;
  const Page = isLimited && search.get('view') === 'permissions' ? PermissionsPage : MembersPage;
  return <Page group={group} views={views} />;
}
