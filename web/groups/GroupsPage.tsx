import type { Group } from '@telltale/domain/groups/contract.ts';
import { useCan } from '../api/session.ts';
import { SettingsFrame } from '../layout/SettingsFrame.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { type Column, ItemsPage } from '../ui/ItemsPage.tsx';
import { GroupRowActions } from './GroupRowActions.tsx';
import { GroupTitle } from './GroupTitle.tsx';
import { NewGroupButton } from './NewGroupButton.tsx';
import { useGroups } from './useGroups.ts';

const columns: readonly Column<Group>[] = [
  { title: 'Name', sort: 'name', cell: (group) => <GroupTitle group={group} /> },
  { title: '', cell: (group) => <GroupRowActions group={group} />, width: 264, align: 'end' },
];

export function GroupsPage() {
  const isAdmin = useCan()('admin');
  const groups = useGroups();
  return (
    <SettingsFrame>
      <ItemsPage
        title="Groups"
        level={2}
        items={groups}
        columns={columns}
        hasPageSizes={false}
        action={isAdmin && <NewGroupButton />}
        empty={<EmptyState>You are not a member of any group.</EmptyState>}
      />
    </SettingsFrame>
  );
}
