import type { UserDetail } from '@telltale/domain/users/contract.ts';
import { useAllGroups } from '../groups/useGroups.ts';
import { DynamicForm } from '../ui/DynamicForm.tsx';
import { FormSkeleton } from '../ui/FormSkeleton.tsx';
import { MemberLabels } from './MemberLabels.tsx';
import { changesOf, profileFields } from './profileFields.ts';
import { useSaveUser } from './useUsers.ts';

export function ProfileForm({ user, isSelf }: { user: UserDetail; isSelf: boolean }) {
  const groups = useAllGroups();
  const save = useSaveUser();
  if (!groups) return <FormSkeleton />;
  const areGroupsFixed = isSelf || user.is_disabled;
  const fields = profileFields(user, groups, areGroupsFixed ? <MemberLabels groupIds={user.groups} /> : null);
  return (
    <DynamicForm
      fields={fields}
      onSubmit={(values) => save.mutateAsync({ params: { id: user.id }, body: { id: user.id, ...changesOf(user, values) } })}
    />
  );
}
