import type { Group } from '@telltale/domain/groups/contract.ts';
import { Link, useLocation, useParams, useSearchParams } from 'react-router';
import { useCan } from '../api/session.ts';
import { SettingsFrame } from '../layout/SettingsFrame.tsx';
import { useTitle } from '../layout/useTitle.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { FormSkeleton } from '../ui/FormSkeleton.tsx';
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
  // Built-in groups have the permissions the product gives them; there is nothing to choose.
  const hasPermissions = isAdmin && group.type !== 'builtin';
  const views = [
    { title: 'Members', to: `/groups/${group.id}` },
    ...(isAdmin ? [{ title: 'Data Sources', to: `/groups/${group.id}/data_sources` }] : []),
    ...(hasPermissions ? [{ title: 'Permissions', to: `/groups/${group.id}?view=permissions` }] : []),
  ];
  if (isAdmin && pathname === `/groups/${group.id}/data_sources`) return <GroupDataSources group={group} views={views} />;
  const Page = hasPermissions && search.get('view') === 'permissions' ? PermissionsPage : MembersPage;
  return <Page group={group} views={views} />;
}
