import type { Group } from '@telltale/domain/groups/contract.ts';
import type { User } from '@telltale/domain/users/contract.ts';
import { Link } from 'react-router';
import { useCan } from '../api/session.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { type Column, ItemsPage, type View } from '../ui/ItemsPage.tsx';
import { Person } from '../ui/Person.tsx';
import { StateLabel } from '../ui/StateLabel.tsx';
import { AddMembersButton } from './AddMembersButton.tsx';
import { DeleteGroupButton } from './DeleteGroupButton.tsx';
import { GroupHeading } from './GroupHeading.tsx';
import { RemoveMemberButton } from './RemoveMemberButton.tsx';
import { useMembers } from './useGroups.ts';

export function MembersPage({ group, views }: { group: Group; views: readonly View[] }) {
  const isAdmin = useCan()('admin');
  const members = useMembers(group.id);
  const columns: Column<User>[] = [
    {
      title: 'Name',
      sort: 'name',
      cell: (user) => (
        <Person
          name={user.name}
          email={user.email}
          image={user.profile_image_url}
          to={`/users/${user.id}`}
          label={user.is_disabled && <StateLabel tone="neutral">Disabled</StateLabel>}
        />
      ),
    },
  ];
  if (isAdmin) columns.push({ title: '', cell: (user) => <RemoveMemberButton group={group} member={user} />, width: 112, align: 'end' });
  return (
    <ItemsPage
      title="Members"
      heading={<GroupHeading group={group} />}
      above={<Link to="/groups">Groups</Link>}
      level={2}
      items={members}
      columns={columns}
      views={views}
      action={
        isAdmin && (
          <>
            <DeleteGroupButton group={group} />
            <AddMembersButton group={group} type="primary" />
          </>
        )
      }
      empty={<EmptyState action={isAdmin && <AddMembersButton group={group} />}>There are no members in this group yet.</EmptyState>}
    />
  );
}
